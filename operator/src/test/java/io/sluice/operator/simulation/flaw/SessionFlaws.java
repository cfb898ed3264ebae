// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation.flaw;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What can be wrong with an operator of session jobs; the simulator has to find each of them. */
public enum SessionFlaws {
    /** Does not record that a job was asked for, and so begins another one beside it. */
    JAR_NOT_RECORDED,
    /** Begins the next job without having recorded what the former one leaves. */
    PATH_NOT_RECORDED,
    /** Takes a JobManager that does not answer for one that has lost the job. */
    UNREACHABLE_IS_GONE,
    /** Looks for the job on the cluster that the spec names now, wherever it was started. */
    CLUSTER_OF_THE_SPEC,
    /** Takes what was cached before a job's end for its last state. */
    CHECKPOINTS_FROM_A_CACHE,
    /** Asks for savepoints under a name that is not the one on record. */
    RANDOM_SAVING,
    /** Deletes the savepoint that the job was started from, because it is old. */
    DISPOSED_TOO_EARLY;

    /** The same, where savepoints are simulated for all kinds alike. */
    public Optional<Flaws> ofSavings() {
        return switch (this) {
            case RANDOM_SAVING -> Optional.of(Flaws.RANDOM_SAVING);
            case DISPOSED_TOO_EARLY -> Optional.of(Flaws.DISPOSED_TOO_EARLY);
            case JAR_NOT_RECORDED,
                    PATH_NOT_RECORDED,
                    UNREACHABLE_IS_GONE,
                    CLUSTER_OF_THE_SPEC,
                    CHECKPOINTS_FROM_A_CACHE ->
                    Optional.empty();
        };
    }

    public static Set<SessionFlaws> none() {
        return EnumSet.noneOf(SessionFlaws.class);
    }
}
