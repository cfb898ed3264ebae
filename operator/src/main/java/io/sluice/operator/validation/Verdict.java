// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import java.util.List;

/** What the platform's validators say of a spec. */
public sealed interface Verdict {
    /** The spec may be carried out. */
    record Accepted() implements Verdict {}

    /**
     * The spec must not be carried out.
     *
     * @param problems one line each: who refuses it, field, what to do
     */
    record Refused(List<String> problems) implements Verdict {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /**
     * A validator failed or took too long, so that nobody can tell.
     *
     * @param why one line for people
     */
    record Failed(String why) implements Verdict {}

    /** The validators are still at work. */
    record Pending() implements Verdict {}
}
