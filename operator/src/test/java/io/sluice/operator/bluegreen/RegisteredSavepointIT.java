// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.OperatorAccount;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The FlinkStateSnapshots of the savepoints that transitions make. */
class RegisteredSavepointIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    @RegisterExtension final ServedPair pair = new ServedPair(client, namespace);

    /** With no more rights than the chart gives. */
    @Test
    void registersTheSavepointOfTheActiveHalfOnceAndKeepsItWithoutThatHalf() {
        pair.endOperator();
        try (KubernetesClient role =
                        OperatorAccount.in(API, namespace).serving(namespace).client();
                var _ = pair.operatorOf(role)) {
            pair.create();
            toGreen();
        }
        FlinkStateSnapshot only = only();
        assertThat(only.getMetadata().getName()).startsWith("orders-blue-savepoint-upgrade-");
        assertThat(only.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(only.getMetadata().getLabels())
                .containsEntry("snapshot.trigger-type", "UPGRADE")
                .containsEntry("job-reference.name", "orders-blue");
        assertThat(only.getSpec().at("/savepoint/alreadyExists").asBoolean()).isTrue();
        assertThat(only.getSpec().at("/savepoint/disposeOnDelete").asBoolean()).isFalse();
        assertThat(only.getStatus().path("path").asText()).isEqualTo(startOfGreen());
    }

    /** The process has ended before it could see what it had created. */
    @Test
    void createsNoSecondOneOfWhatIsRecordedAgain() {
        pair.create();
        toGreen();
        pair.endOperator();
        FlinkStateSnapshot before = only();
        var registration =
                new SavepointRegistration(
                        before.getMetadata().getName(),
                        "orders-blue",
                        startOfGreen(),
                        SavepointFormat.CANONICAL,
                        false,
                        Instant.now());
        pair.editStatus(status -> status.withRegistration(Optional.of(registration)));
        assertThat(pair.status().registration()).contains(registration);

        try (RunningOperator _ = pair.operatorOf(client)) {
            soon(() -> assertThat(pair.status().registration()).isEmpty());
        }
        assertThat(only().getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    }

    /** The half registers it itself. */
    @Test
    void hasOneOfAHalfThatIsStoppedFirst() {
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        pair.configure("kubernetes.operator.bluegreen.handover", "stop-first");
        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        pair.finish("orders-blue");
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.run("orders-green");

        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        soon(() -> assertThat(pair.half("blue")).isEmpty());
        soon(() -> assertThat(only().getStatus().path("path").asText()).isEqualTo(startOfGreen()));
        assertThat(only().getMetadata().getName()).startsWith("orders-blue-savepoint-upgrade-");
    }

    @Test
    void createsNoneWhereTheHalfAsksForNone() {
        pair.create(
                spec ->
                        Specs.configured(
                                spec, "kubernetes.operator.snapshot.resource.enabled", "false"));
        toGreen();

        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(all()).isEmpty());
        assertThat(startOfGreen()).isNotEmpty();
    }

    private void toGreen() {
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.run("orders-green");
        soon(() -> assertThat(pair.isLeaving("blue")).isTrue());
        pair.gone("blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        soon(() -> assertThat(pair.status().registration()).isEmpty());
    }

    /** Where the active half was started from. */
    private String startOfGreen() {
        return pair.status()
                .transition()
                .orElseThrow()
                .savepoint()
                .orElseThrow()
                .path()
                .orElseThrow();
    }

    private List<FlinkStateSnapshot> all() {
        return client.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems();
    }

    /** The one that there is, once it is complete. */
    private FlinkStateSnapshot only() {
        soon(
                () ->
                        assertThat(all())
                                .singleElement()
                                .satisfies(it -> assertThat(state(it)).isEqualTo("COMPLETED")));
        return all().getFirst();
    }

    private static String state(FlinkStateSnapshot snapshot) {
        return Optional.ofNullable(snapshot.getStatus())
                .map(status -> status.path("state").asText())
                .orElse("");
    }
}
