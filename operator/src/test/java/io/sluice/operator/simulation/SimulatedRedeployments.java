// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.sim.FlinkStorage;
import io.sluice.testkit.sim.World.Resource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A state that the user named, once the operator has it on record: it holds for the attempts that
 * were made for it until one of them begins, whatever else is edited meanwhile.
 */
final class SimulatedRedeployments {
    private record Agreed(String path, Set<String> attempts) {}

    private final FlinkStorage storage;
    private Optional<Agreed> agreed = Optional.empty();

    SimulatedRedeployments(FlinkStorage storage) {
        this.storage = storage;
    }

    /** {@code status} is stored for a spec that asks for another state than the job's own. */
    void stored(Resource read, ObjectNode status) {
        String recorded = status.at("/jobStatus/upgradeSavepointPath").asText();
        if (recorded.equals(read.spec().at("/job/initialSavepointPath").asText())) {
            agreed = Optional.of(new Agreed(recorded, new HashSet<>()));
        }
    }

    /** Whether {@code attempt} may go on from {@code path} because the user asked for it. */
    boolean allow(String attempt, Optional<String> path) {
        Optional<Agreed> holds =
                agreed.filter(it -> path.equals(Optional.of(it.path())))
                        .filter(
                                it ->
                                        it.attempts().stream()
                                                .filter(made -> !made.equals(attempt))
                                                .noneMatch(storage::hasBegun));
        holds.ifPresent(it -> it.attempts().add(attempt));
        return holds.isPresent();
    }
}
