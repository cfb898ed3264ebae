// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

/** What is wrong with a simulated operator; the simulator has to find each of them. */
record Flaws(
        boolean actsBeforeRecording,
        boolean takesUnreachableForGone,
        boolean deletesInTheBackground,
        boolean guardsAgainstStaleReads) {
    static final Flaws NONE = new Flaws(false, false, false, true);
    static final Flaws STATUS_AFTER_EFFECT = new Flaws(true, false, false, true);
    static final Flaws UNREACHABLE_IS_GONE = new Flaws(false, true, false, true);
    static final Flaws DELETION_NOT_AWAITED = new Flaws(false, false, true, true);
    static final Flaws STALE_READS_TRUSTED = new Flaws(false, false, false, false);
}
