// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.SpecReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A FlinkDeployment of a version of Flink that is not supported. */
class UnsupportedVersionTest {
    @Test
    void tellsAVersionThatIsNotSupportedAsAnEventOfItsOwn() {
        var old = new FlinkDeployment();
        old.getMetadata().setName("orders");
        old.getMetadata().setNamespace("shop");
        old.setSpec(
                Specs.application("flink:1.14", "stateless")
                        .put("flinkVersion", "v1_14")
                        .put("image", ""));
        var read =
                SpecReader.of(
                        old, Optional.empty(), DefaultConfiguration.NONE, SpecValidators.NONE);

        for (Snapshots before : List.of(aNewResource(), aRunningDeployment())) {
            var decision = before.withSpec(read).decide();

            assertThat(decision.reason()).isEqualTo(Reason.SPEC_INVALID);
            assertThat(decision.notes())
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.kind()).isEqualTo(ResourceEvent.Kind.WARNING);
                                assertThat(event.component()).isEqualTo("Operator");
                                assertThat(event.reason()).isEqualTo("UnsupportedFlinkVersion");
                                assertThat(event.message()).contains("v1_14", "v1_15 or later");
                            });
        }
    }

    @Test
    void savesAndSuspendsAJobOfAVersionThatIsNotSupportedAndDoesNotRestartIt() {
        var spec = Specs.saving(Specs.application("flink:1.14", "stateless"));
        spec.put("flinkVersion", "v1_14");
        var running =
                aNewResource()
                        .withSpec(spec)
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        var saved = stored(running, Specs.withNonce(spec, StateKind.SAVEPOINT, 1)).decide();
        var suspended = stored(running, Specs.withState(spec, "suspended")).decide();
        var restarted = stored(running, Specs.withImage(spec, "new")).decide();

        assertThat(saved.actions()).singleElement().isInstanceOf(Action.TriggerSavepoint.class);
        assertThat(suspended.reason()).isEqualTo(Reason.SUSPENDING);
        assertThat(restarted.reason()).isEqualTo(Reason.SPEC_INVALID);
        assertThat(restarted.actions()).isEmpty();
    }

    /** With {@code spec} as the operator reads it, the webhook being away. */
    private static Snapshots stored(Snapshots running, ObjectNode spec) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName("orders");
        resource.getMetadata().setNamespace("shop");
        resource.setSpec(spec);
        return running.withSpec(
                SpecReader.of(
                        resource,
                        running.observed().lastReconciled(),
                        DefaultConfiguration.NONE,
                        SpecValidators.NONE));
    }
}
