// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.Condition;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.observe.SpecReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What comes of a spec that the platform's validators do not accept. */
class HeldSpecTest {
    private static final SpecValidators REFUSING =
            (_, _) -> new Verdict.Refused(List.of("plugin  spec.image: is foreign"));
    private static final SpecValidators FAILING = (_, _) -> new Verdict.Failed("threw");
    private static final SpecValidators BUSY = (_, _) -> new Verdict.Pending();

    @Test
    void nothingIsBegunOfANewResourceThatIsRefused() {
        for (SpecValidators each : List.of(REFUSING, FAILING, BUSY)) {
            Decision decision = aNewResource().withSpec(read(aNewResource(), "new", each)).decide();

            assertThat(decision.actions()).isEmpty();
            assertThat(decision.status().reconciliationStatus().lastReconciledSpec()).isEmpty();
            assertThat(decision.checkAgain()).isPresent();
        }
    }

    @Test
    void whatRunsGoesOnUntouchedAndTheReasonSaysWhoRefuses() {
        Snapshots running = aRunningDeployment();

        Decision decision = running.withSpec(read(running, "new", REFUSING)).decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.reason()).isEqualTo(Reason.SPEC_REFUSED);
        assertThat(decision.detail()).contains("plugin  spec.image: is foreign");
        assertThat(decision.status().reconciliationStatus().lastReconciledSpec())
                .isEqualTo(running.observed().status().reconciliationStatus().lastReconciledSpec());
        assertThat(decision.status().condition("Stalled"))
                .map(Condition::reason)
                .contains("SpecRefused");
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("SpecRefused");
    }

    @Test
    void aCheckThatIsUnderWayIsLookedAtSoonAndToldToNobody() {
        Snapshots running = aRunningDeployment();

        Decision decision = running.withSpec(read(running, "new", BUSY)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.VALIDATING);
        assertThat(decision.notes()).isEmpty();
        assertThat(decision.checkAgain()).contains(Duration.ofSeconds(1));
    }

    @Test
    void ofWhatWasTakenUpBeforeNothingIsHeldUpBecauseNobodyCanTell() {
        Snapshots running = aRunningDeployment();

        for (SpecValidators each : List.of(FAILING, BUSY)) {
            SpecView same = read(running, "flink:1.20", each);
            assertThat(running.withSpec(same).decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        }
        assertThat(read(running, "flink:1.20", REFUSING)).isInstanceOf(SpecView.Invalid.class);
    }

    private static SpecView read(Snapshots before, String image, SpecValidators validators) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        resource.setSpec(Specs.application(image, "stateless"));
        Optional<LastReconciledSpec> lastReconciled = before.observed().lastReconciled();
        return SpecReader.of(resource, lastReconciled, DefaultConfiguration.NONE, validators);
    }
}
