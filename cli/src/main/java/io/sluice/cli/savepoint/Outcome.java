// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import java.time.Duration;
import java.util.Optional;

/** How the waiting for a snapshot ended. */
sealed interface Outcome {
    /** No more comes of it by itself. */
    record AtRest(SnapshotView last) implements Outcome {}

    /** Somebody has deleted it. */
    record Deleted() implements Outcome {}

    /**
     * The time was over.
     *
     * @param last what was seen of it; empty if nothing was
     */
    record TimedOut(Duration limit, Optional<SnapshotView> last) implements Outcome {}

    /** It could not be watched, or no longer; how it ends is not known. */
    record NotFollowed(String why) implements Outcome {}
}
