// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static io.sluice.operator.deployment.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.ClusterView.Kill;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourcePassTest {
    private final FlinkDeployment resource = new FlinkDeployment();
    private final List<Note> told = new ArrayList<>();
    private final List<Object> saved = new ArrayList<>();
    private final RunMemory memory = new RunMemory();

    @Test
    void aKilledContainerOfAJobThatRunsIsToldOnceAndNoStatusIsWritten() {
        var running = aRunningDeployment().decided();
        var killed =
                running.withKills(new Kill("pod p, container c: ", Snapshots.NOW, "Raise it."));
        resource.setStatus(running.decide().status().onto(JsonNodeFactory.instance.objectNode()));

        passOver(running);
        assertThat(told).isEmpty();
        passOver(killed);
        passOver(killed);

        assertThat(told).extracting(Note::reason).containsExactly("OOMKilled");
        assertThat(saved).isEmpty();
    }

    private void passOver(Snapshots seen) {
        new FlinkDeploymentPass(
                        _ -> seen.snapshot(),
                        (_, status) -> {
                            saved.add(status);
                            return StatusStore.Saved.KEPT;
                        },
                        (_, _) -> {},
                        (_, notes) -> told.addAll(notes),
                        memory)
                .run(resource);
    }
}
