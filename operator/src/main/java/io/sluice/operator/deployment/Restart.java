// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.ReconciledSpec;
import io.sluice.operator.manifest.StartFrom;
import java.util.function.Function;

/**
 * The spec that was taken up is started once more, under a new attempt: recorded first, then the
 * former cluster is removed, then the new one is created. The spec stays as old as it is, so that
 * one that never becomes stable can't hide behind its restarts.
 */
final class Restart {
    private Restart() {}

    /**
     * @param from the state that is known; never {@link StartFrom.Nothing} where there is some
     * @param told the event, by the new attempt's id
     */
    static Decision of(Pass pass, StartFrom from, Reason reason, Function<String, Note> told) {
        ReconciledSpec wanted = new ReconciledSpec(pass.wanted().spec(), false);
        Pass begun =
                Saving.abandoned(
                                new Pass(
                                        pass.snapshot(),
                                        wanted,
                                        pass.spec(),
                                        pass.draft(),
                                        pass.notes()))
                        .beginning(from);
        Pass dated =
                begun.with(
                        begun.draft()
                                .takenUpAt(
                                        pass.draft().reconciliation().reconciliationTimestamp()));
        Pass saying = dated.telling(told.apply(dated.attempt().orElse("")));
        return pass.cluster().isGone()
                ? saying.starting().decided(reason, pass.soon(), saying.creation(from))
                : Dismissal.forFreshStart(saying, reason);
    }
}
