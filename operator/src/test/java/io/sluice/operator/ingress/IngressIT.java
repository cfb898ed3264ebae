// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.operator.system.ExposedJob;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IngressIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private KubernetesClient client;
    private String namespace;
    private ExposedJob job;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        job = new ExposedJob(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void followsTheSpecWithoutARestartAndGoesWhenItIsRemoved() {
        job.create("{{name}}.example.org");
        soon(() -> assertThat(host()).contains("orders.example.org"));
        soon(() -> assertThat(job.cluster()).isPresent());
        String cluster = job.cluster().orElseThrow();

        job.edit(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.com"));

        soon(() -> assertThat(host()).contains("orders.example.com"));
        job.edit(
                spec ->
                        spec.withObject("/ingress")
                                .putObject("annotations")
                                .put("a.example/b", "c"));
        soon(
                () ->
                        assertThat(job.ingress().orElseThrow().getMetadata().getAnnotations())
                                .containsEntry("a.example/b", "c"));
        job.edit(spec -> ((ObjectNode) spec.path("ingress")).remove("annotations"));
        soon(
                () ->
                        assertThat(job.ingress().orElseThrow().getMetadata().getAnnotations())
                                .doesNotContainKey("a.example/b"));
        job.edit(spec -> spec.remove("ingress"));
        soon(() -> assertThat(job.ingress()).isEmpty());
        assertThat(job.cluster()).contains(cluster);
    }

    @Test
    void isMadeAnewWhenSomebodyDeletedOrChangedIt() {
        job.create("{{name}}.example.org");
        soon(() -> assertThat(job.ingress()).isPresent());
        String uid = job.ingress().orElseThrow().getMetadata().getUid();

        client.resource(job.ingress().orElseThrow()).delete();

        soon(
                () ->
                        assertThat(job.ingress())
                                .hasValueSatisfying(
                                        found ->
                                                assertThat(found.getMetadata().getUid())
                                                        .isNotEqualTo(uid)));
        client.resource(job.ingress().orElseThrow())
                .edit(
                        found -> {
                            found.getSpec().getRules().getFirst().setHost("else.example.org");
                            return found;
                        });
        soon(() -> assertThat(host()).contains("orders.example.org"));
    }

    @Test
    void leavesAnIngressOfSomebodyElseAloneAndSaysSo() {
        client.resource(
                        new IngressBuilder()
                                .withNewMetadata()
                                .withName(ExposedJob.NAME)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewSpec()
                                .addNewRule()
                                .withHost("theirs.example.org")
                                .endRule()
                                .endSpec()
                                .build())
                .create();

        job.create("{{name}}.example.org");

        soon(() -> assertThat(job.told()).isNotEmpty());
        assertThat(host()).contains("theirs.example.org");
    }

    private Optional<String> host() {
        return job.ingress().map(found -> found.getSpec().getRules().getFirst().getHost());
    }
}
