// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import java.util.List;

/** What is done about an advisory. */
sealed interface Verdict {
    /** Every image has a version that is not affected. */
    record Upgraded() implements Verdict {}

    /** No image has the component. */
    record Excluded() implements Verdict {}

    /**
     * An affected version is shipped, and what is wrong with it is never reached.
     *
     * @param images the images for which this holds
     * @param because why, in a sentence
     * @param neverLoaded how the names of the classes begin that a test shows are never loaded
     */
    record NotReachable(List<String> images, String because, List<String> neverLoaded)
            implements Verdict {}
}
