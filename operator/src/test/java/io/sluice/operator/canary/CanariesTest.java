// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CanariesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Outcome OTHER =
            new Outcome(Reason.DELETING, false, false, Optional.empty());

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final Map<String, String> configured = new HashMap<>();
    private final List<Long> changes = new ArrayList<>();
    private boolean refusing;
    private final Canaries canaries =
            new Canaries(
                    () -> new CanaryResources(Set.of("shop")),
                    this::options,
                    (_, generation) -> change(generation),
                    () -> now);

    @Test
    void aCanaryIsChangedAndLookedAtAgain() {
        Outcome outcome = pass(canary(1));

        assertThat(changes).containsExactly(1L);
        assertThat(outcome.reason()).isEqualTo(Reason.CANARY);
        assertThat(outcome.checkAgain()).contains(MINUTE);
    }

    @Test
    void aChangeThatIsSeenIsRepeatedOnceTheTimeIsOver() {
        pass(canary(1));
        later(2);
        pass(canary(2));
        assertThat(changes).hasSize(1);
        assertThat(canaries.runs())
                .containsExactly(
                        new Canaries.CanaryRun(
                                "shop", "tweety", Optional.of(Duration.ofSeconds(2))));

        later(58);
        pass(canary(2));

        assertThat(changes).containsExactly(1L, 2L);
    }

    @Test
    void aChangeThatIsNotSeenInTimeIsUnhealthyUntilItIs() {
        pass(canary(1));
        later(60);
        assertThat(canaries.isHealthy()).isTrue();

        later(1);
        pass(canary(1));
        assertThat(canaries.isHealthy()).isFalse();
        assertThat(changes).hasSize(1);

        pass(canary(2));
        assertThat(canaries.isHealthy()).isTrue();
    }

    @Test
    void howSoonAChangeMustBeSeenIsConfigured() {
        configured.put("kubernetes.operator.health.canary.resource.timeout", "20 s");

        Outcome outcome = pass(canary(1));

        assertThat(outcome.checkAgain()).contains(Duration.ofSeconds(20));
        later(21);
        assertThat(canaries.isHealthy()).isFalse();
    }

    @Test
    void aChangeThatIsRefusedIsTriedAgainAndMissedOnceTheTimeIsOver() {
        refusing = true;
        assertThatThrownBy(() -> pass(canary(1))).isInstanceOf(KubernetesClientException.class);
        assertThat(canaries.isHealthy()).isTrue();

        later(61);
        assertThatThrownBy(() -> pass(canary(1))).isInstanceOf(KubernetesClientException.class);
        assertThat(canaries.isHealthy()).isFalse();

        refusing = false;
        pass(canary(1));
        assertThat(changes).containsExactly(1L);
        pass(canary(2));
        assertThat(canaries.isHealthy()).isTrue();
    }

    @Test
    void aCanaryThatIsDeletedIsMissedByNobody() {
        pass(canary(1));
        FlinkDeployment going = canary(1);
        going.getMetadata().setDeletionTimestamp(now.toString());

        Outcome outcome = pass(going);

        later(600);
        assertThat(outcome.released()).isTrue();
        assertThat(canaries.isHealthy()).isTrue();
    }

    @Test
    void otherResourcesArePassedOverAsEver() {
        FlinkDeployment orders = canary(1);
        orders.getMetadata().setLabels(Map.of("flink.apache.org/canary", "no"));

        assertThat(pass(orders)).isEqualTo(OTHER);
        assertThat(changes).isEmpty();
    }

    @Test
    void theLabelAloneMakesNoCanary() {
        FlinkDeployment elsewhere = canary(1);
        elsewhere.getMetadata().setNamespace("tenant");

        assertThat(pass(elsewhere)).isEqualTo(OTHER);
        assertThat(changes).isEmpty();
    }

    @Test
    void whatWasDeployedBecomesNoCanary() {
        FlinkDeployment running = canary(1);
        running.setStatus(JsonNodeFactory.instance.objectNode());
        running.getStatus().putObject("reconciliationStatus").put("lastReconciledSpec", "{}");

        assertThat(pass(running)).isEqualTo(OTHER);
    }

    @Test
    void oneThatLosesItsLabelIsShownAndMissedNoMore() {
        pass(canary(1));
        FlinkDeployment ordinary = canary(2);
        ordinary.getMetadata().setLabels(Map.of());

        assertThat(pass(ordinary)).isEqualTo(OTHER);

        later(600);
        assertThat(canaries.runs()).isEmpty();
        assertThat(canaries.isHealthy()).isTrue();
    }

    @Test
    void oneThatGoesWithoutALastPassIsShownAndMissedNoMore() {
        pass(canary(1));
        later(600);
        canaries.known(new ResourceID("tweety", "shop")::equals, _ -> false);
        assertThat(canaries.isHealthy()).isFalse();
        assertThat(canaries.runs()).hasSize(1);

        canaries.known(_ -> false, _ -> true);

        assertThat(canaries.isHealthy()).isTrue();
        assertThat(canaries.runs()).isEmpty();
    }

    private HealthOptions options() {
        return HealthOptions.of(new DefaultConfiguration(new FlinkConfiguration(configured)));
    }

    private void change(long generation) {
        if (refusing) {
            throw new KubernetesClientException("the spec is not valid");
        }
        changes.add(generation);
    }

    private void later(int seconds) {
        now = now.plusSeconds(seconds);
    }

    private Outcome pass(FlinkDeployment resource) {
        return canaries.<FlinkDeployment, ChildResources>apart((_, _, _) -> OTHER)
                .reconcile(
                        resource,
                        new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                        (_, _) -> StatusStore.Saved.KEPT);
    }

    private static FlinkDeployment canary(long generation) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("tweety")
                        .withGeneration(generation)
                        .withLabels(Map.of("flink.apache.org/canary", "true"))
                        .build());
        return resource;
    }
}
