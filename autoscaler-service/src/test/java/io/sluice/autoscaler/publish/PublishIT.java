// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobKind;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PublishIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private JobKey key;
    private StateConfigMaps states;
    private KubernetesEvents events;

    @BeforeEach
    void prepare() {
        key = new JobKey(API.newNamespace(), "orders", "11111111-1111-1111-1111-111111111111");
        states = new StateConfigMaps(API.client());
        events = new KubernetesEvents(API.client(), () -> now, () -> now);
    }

    @Test
    void storesAndReadsBack() {
        assertThat(states.load(key).data()).isEmpty();

        states.save(
                key,
                Map.of("parallelismOverrides", "aa:1", "collectedMetrics", "x"),
                states.load(key).stored());
        states.save(key, Map.of("parallelismOverrides", "aa:2"), states.load(key).stored());

        assertThat(states.load(key).data()).isEqualTo(Map.of("parallelismOverrides", "aa:2"));
        ConfigMap stored = stored();
        assertThat(stored.getMetadata().getLabels())
                .isEqualTo(Map.of("component", "autoscaler", "app", "orders"));
        assertThat(stored.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(key.uid()));
        assertThat(stored.getMetadata().getManagedFields())
                .extracting(entry -> entry.getManager())
                .contains("sluice-autoscaler");
    }

    @Test
    void letsOnlyOneOfTwoOwnersPublish() {
        Stored nothing = states.load(key).stored();
        Stored first = states.save(key, Map.of("parallelismOverrides", "aa:1"), nothing);

        assertThatThrownBy(() -> states.save(key, Map.of("parallelismOverrides", "aa:9"), nothing))
                .isInstanceOf(StoredMeanwhile.class)
                .hasMessageContaining("autoscaler-orders");

        Stored second = states.save(key, Map.of("parallelismOverrides", "aa:2"), first);
        assertThatThrownBy(() -> states.save(key, Map.of("parallelismOverrides", "aa:9"), first))
                .isInstanceOf(StoredMeanwhile.class);
        assertThat(states.load(key).stored()).isEqualTo(second);
        assertThat(second.holds(Map.of("parallelismOverrides", "aa:2"))).isTrue();
        assertThat(second.holds(Map.of("parallelismOverrides", "aa:9"))).isFalse();
    }

    @Test
    void takesOverWhatAnotherOperatorStored() {
        API.client()
                .resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("autoscaler-orders")
                                .withNamespace(key.namespace())
                                .addToLabels("component", "autoscaler")
                                .addNewOwnerReference()
                                .withApiVersion("flink.apache.org/v1beta1")
                                .withKind("FlinkDeployment")
                                .withName("orders")
                                .withUid(key.uid())
                                .endOwnerReference()
                                .endMetadata()
                                .addToData("parallelismOverrides", "aa:4")
                                .addToData("delayedScaleDown", "{}")
                                .build())
                .create();

        assertThat(states.load(key).data()).containsEntry("parallelismOverrides", "aa:4");
        states.save(key, Map.of("parallelismOverrides", "aa:5"), states.load(key).stored());

        assertThat(states.load(key).data()).isEqualTo(Map.of("parallelismOverrides", "aa:5"));
    }

    @Test
    void readsNothingThatBelongsToAnEarlierResourceOfTheName() {
        states.save(key, Map.of("parallelismOverrides", "aa:1"), states.load(key).stored());
        JobKey next =
                new JobKey(key.namespace(), key.name(), "22222222-2222-2222-2222-222222222222");

        assertThat(states.load(next).data()).isEmpty();
    }

    @Test
    void wipesOnlyItsOwn() {
        states.wipe(key, _ -> false);
        states.save(key, Map.of("parallelismOverrides", "aa:1"), states.load(key).stored());
        states.wipe(key, _ -> false);
        assertThat(Optional.ofNullable(stored())).isEmpty();

        JobKey sessionJob =
                new JobKey(
                        JobKind.FLINK_SESSION_JOB,
                        key.namespace(),
                        key.name(),
                        "22222222-2222-2222-2222-222222222222");
        states.save(
                sessionJob,
                Map.of("parallelismOverrides", "aa:1"),
                states.load(sessionJob).stored());
        states.wipe(key, _ -> false);
        assertThat(Optional.ofNullable(stored())).as("of a session job of that name").isPresent();
        states.wipe(sessionJob, _ -> false);
        assertThat(Optional.ofNullable(stored())).isEmpty();

        API.client()
                .resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("autoscaler-orders")
                                .withNamespace(key.namespace())
                                .endMetadata()
                                .build())
                .create();
        states.wipe(key, _ -> false);
        assertThat(Optional.ofNullable(stored())).isPresent();
    }

    @Test
    void keepsTheEntriesThatItIsToldToKeep() {
        Map<String, String> all = Map.of("parallelismOverrides", "aa:1", "governorRescales", "x");
        states.save(key, all, states.load(key).stored());

        states.wipe(key, "governorRescales"::equals);

        assertThat(states.load(key).data()).isEqualTo(Map.of("governorRescales", "x"));
    }

    @Test
    void countsARepeatedEvent() {
        events.publish(key, report("1 -> 2", Optional.empty(), Optional.empty()));
        now = now.plusSeconds(1);
        events.publish(key, report("2 -> 1", Optional.empty(), Optional.empty()));

        Event event = onlyEvent();
        assertThat(event.getCount()).isEqualTo(2);
        assertThat(event.getMessage()).isEqualTo("2 -> 1");
        assertThat(event.getSource().getComponent()).isEqualTo("Operator");
        assertThat(event.getReason()).isEqualTo("ScalingReport");
        assertThat(event.getInvolvedObject().getUid()).isEqualTo(key.uid());
        assertThat(Instant.parse(event.getLastTimestamp())).isEqualTo(now);
    }

    @Test
    void keepsQuietAboutWhatItSaidLately() {
        Optional<Duration> quiet = Optional.of(Duration.ofMinutes(30));
        events.publish(key, report("same", quiet, Optional.of("17")));
        events.publish(key, report("same", quiet, Optional.of("17")));
        assertThat(onlyEvent().getCount()).isEqualTo(1);

        events.publish(key, report("other", quiet, Optional.of("18")));
        assertThat(onlyEvent().getCount()).isEqualTo(2);
        assertThat(onlyEvent().getMetadata().getLabels()).containsEntry("parallelismMap", "18");

        now = now.plus(Duration.ofMinutes(31));
        events.publish(key, report("other", quiet, Optional.of("18")));
        assertThat(onlyEvent().getCount()).isEqualTo(3);
    }

    private ConfigMap stored() {
        return API.client()
                .configMaps()
                .inNamespace(key.namespace())
                .withName("autoscaler-orders")
                .get();
    }

    private Event onlyEvent() {
        List<Event> all = API.client().v1().events().inNamespace(key.namespace()).list().getItems();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static EngineEvent report(
            String message, Optional<Duration> quiet, Optional<String> content) {
        return new EngineEvent(
                EngineEvent.Severity.NORMAL,
                "ScalingReport",
                message,
                Optional.of("ScalingExecutor"),
                quiet,
                content);
    }
}
