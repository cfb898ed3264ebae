// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.List;

/** What becomes of a resource when the one operator takes the place of the other. */
sealed interface Verdict {
    /** The other operator goes on with it, and accepts its next edit. */
    record TakenOver() implements Verdict {}

    /**
     * What runs goes on, and no edit of the spec is accepted before this is settled.
     *
     * @param edits what to edit
     */
    record NeedsEdit(List<CheckRemark> edits) implements Verdict {
        public NeedsEdit {
            edits = List.copyOf(edits);
        }
    }

    /**
     * The other operator does not serve it as it is, or not as it should.
     *
     * @param reasons what it can't do, and what to do about it
     * @param edits what to edit besides
     */
    record Blocked(List<CheckRemark> reasons, List<CheckRemark> edits) implements Verdict {
        public Blocked {
            reasons = List.copyOf(reasons);
            edits = List.copyOf(edits);
        }
    }

    /** The verdict that follows from what was found. */
    static Verdict of(List<CheckRemark> reasons, List<CheckRemark> edits) {
        if (!reasons.isEmpty()) {
            return new Blocked(reasons, edits);
        }
        return edits.isEmpty() ? new TakenOver() : new NeedsEdit(edits);
    }

    /** For programs. */
    default String word() {
        return switch (this) {
            case TakenOver _ -> "taken-over";
            case NeedsEdit _ -> "needs-edit";
            case Blocked _ -> "blocked";
        };
    }
}
