// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.StatusStore.Saved;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReconciliationTest {
    private final FlinkDeployment resource = new FlinkDeployment();
    private final List<ResourceEvent> told = new ArrayList<>();
    private final List<Object> saved = new ArrayList<>();
    private final ObservationMemory memory = new ObservationMemory();

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

        assertThat(told).extracting(ResourceEvent::reason).containsExactly("OOMKilled");
        assertThat(saved).isEmpty();
    }

    @Test
    void storesTheIntentBeforeItActs() {
        List<String> done = passOver(aNewResource(), Saved.KEPT);

        assertThat(done).containsExactly("saved", "CreateCluster");
    }

    /** Nothing of it changes; but a reconciliation that has read late is refused, and has to be. */
    @Test
    void storesAnIntentThatItRepeatsBeforeItActs() {
        Snapshots recorded = aNewResource().decided().decided();
        resource.setStatus(recorded.decide().status().onto(JsonNodeFactory.instance.objectNode()));

        List<String> done = passOver(recorded, Saved.KEPT);

        assertThat(done).containsExactly("saved", "CreateCluster");
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICT", "CUT"})
    void doesNothingByAnIntentThatIsNotStored(Saved refused) {
        List<String> done = passOver(aNewResource(), refused);

        assertThat(done).containsExactly("saved");
    }

    private List<String> passOver(Snapshots seen, Saved saving) {
        List<String> done = new ArrayList<>();
        new FlinkDeploymentReconciliation(
                        _ -> seen.observed(),
                        (_, _) -> {
                            done.add("saved");
                            return saving;
                        },
                        (_, action) -> done.add(action.getClass().getSimpleName()),
                        (_, notes) -> told.addAll(notes),
                        memory)
                .run(resource);
        return done;
    }

    private void passOver(Snapshots seen) {
        new FlinkDeploymentReconciliation(
                        _ -> seen.observed(),
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
