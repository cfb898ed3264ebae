// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.sluice.operator.model.Reason;
import java.util.Optional;

/**
 * While a job runs as it should and nothing changes, its JobManager is asked what jobs it has, and
 * hardly anything else is asked of anybody.
 */
public final class Steadiness {
    /** From that round on nothing changes. */
    private static final int STEADY_ROUND = 140;

    /** Of two whole reconciliations, which come about each ten minutes. */
    private static final int MOST = 8;

    private int rounds;
    private int before;

    /**
     * An orderly round has passed.
     *
     * @param questions so many were asked so far
     */
    public void round(int questions) {
        if (++rounds == STEADY_ROUND) {
            before = questions;
        }
    }

    /**
     * @param recurs whether the resource asks for something again and again
     * @param questions so many were asked so far
     * @return what is asked in vain
     */
    public Optional<String> unsettled(
            CustomResource<ObjectNode, ObjectNode> resource, boolean recurs, int questions) {
        boolean isSteady =
                !recurs
                        && Settling.reason(resource.getStatus())
                                .filter(reason -> reason == Reason.JOB_RUNNING)
                                .isPresent();
        return isSteady && questions - before > MOST
                ? Optional.of(questions - before + " questions are asked although nothing changes")
                : Optional.empty();
    }
}
