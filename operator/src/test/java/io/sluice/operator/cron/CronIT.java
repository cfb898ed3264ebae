// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CronIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /** The hour after the resources of the test were made. */
    private final Instant hour =
            Instant.ofEpochMilli(System.currentTimeMillis())
                    .truncatedTo(ChronoUnit.HOURS)
                    .plus(Duration.ofHours(1));

    private final AtomicReference<Instant> now = new AtomicReference<>(hour.minusSeconds(1));
    private KubernetesClient client;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = started();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void submitsARunAtEachTimeAndReplacesTheOneBefore() {
        create(Map.of("job.execute.cron", "0 * * * *"));
        soon(
                () ->
                        assertThat(status().at("/jobStatus/state").asText())
                                .isEqualTo("CRON_SCHEDULED"));
        assertThat(kubelet.deployment("orders")).isEmpty();

        now.set(hour);

        soon(() -> assertThat(runs()).containsExactly(run(hour)));
        soon(() -> assertThat(kubelet.deployment(run(hour))).isPresent());
        assertThat(resource(run(hour)).getMetadata().getAnnotations())
                .containsKey("sluice.io/cron-fire-time")
                .doesNotContainKey("job.execute.cron");
        soon(() -> assertThat(status().at("/cron/active/0").asText()).isEqualTo(run(hour)));

        Instant next = hour.plus(Duration.ofHours(1));
        now.set(next);

        soon(
                () -> {
                    kubelet.finishDeletion(run(hour));
                    assertThat(runs()).containsExactly(run(next));
                });
        soon(() -> assertThat(reasons()).contains("JobStatusChanged", "Cleanup"));
    }

    @Test
    void findsItsRunsAgainAfterARestart() {
        create(Map.of("job.execute.cron", "0 * * * *"));
        soon(() -> assertThat(status().at("/cron/nextFireTime").asText()).isNotEmpty());
        now.set(hour);
        soon(() -> assertThat(runs()).containsExactly(run(hour)));
        String uid = resource(run(hour)).getMetadata().getUid();

        operator.close();
        operator = started();

        await().during(ofSeconds(2))
                .atMost(ofSeconds(30))
                .untilAsserted(
                        () -> {
                            assertThat(runs()).containsExactly(run(hour));
                            assertThat(resource(run(hour)).getMetadata().getUid()).isEqualTo(uid);
                        });
    }

    @Test
    void takesItsRunsAlongWhenItGoes() {
        create(Map.of("job.execute.cron", "0 * * * *"));
        soon(() -> assertThat(status().at("/cron/nextFireTime").asText()).isNotEmpty());
        now.set(hour);
        soon(() -> assertThat(kubelet.deployment(run(hour))).isPresent());

        client.resource(resource("orders")).delete();

        soon(
                () -> {
                    kubelet.finishDeletion(run(hour));
                    assertThat(
                                    client.resources(FlinkDeployment.class)
                                            .inNamespace(namespace)
                                            .list()
                                            .getItems())
                            .isEmpty();
                });
    }

    @Test
    void saysWhatIsWrongWithAScheduleThatAdmissionLetThrough() {
        create(Map.of("job.execute.cron", "every day"));

        soon(
                () ->
                        assertThat(status().path("error").asText())
                                .contains("metadata.annotations[job.execute.cron]: 'every day'"));
    }

    private RunningOperator started() {
        return new RunningOperator(client, namespace, new FakeJobManager(), now::get);
    }

    private void create(Map<String, String> annotations) {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        var resource = new FlinkDeployment();
        resource.getMetadata().setName("orders");
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setAnnotations(annotations);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private String run(Instant fire) {
        return "orders-"
                + java.time.format.DateTimeFormatter.ofPattern("MMddHHmm", java.util.Locale.ROOT)
                        .format(fire.atZone(java.time.ZoneOffset.UTC));
    }

    private List<String> runs() {
        return client
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withLabel("sluice.io/cron-template", "orders")
                .list()
                .getItems()
                .stream()
                .map(found -> found.getMetadata().getName())
                .toList();
    }

    private List<String> reasons() {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals("orders"))
                .map(Event::getReason)
                .toList();
    }

    private FlinkDeployment resource(String name) {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
    }

    private ObjectNode status() {
        return resource("orders").getStatus();
    }
}
