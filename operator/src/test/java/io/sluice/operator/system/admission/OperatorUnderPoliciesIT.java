// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.admission;

import static io.sluice.operator.system.admission.InstalledPolicies.OPERATOR;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobVertex;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator lives an ordinary life under the chart's admission policies and roles. */
class OperatorUnderPoliciesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final JobVertex VERTEX = new JobVertex("01", "work", 1, 4, "RUNNING");

    private static InstalledPolicies policies;

    private KubernetesClient client;
    private KubernetesClient asOperator;
    private Kubectl kubectl;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;

    @BeforeAll
    static void install() throws IOException {
        policies = InstalledPolicies.on(API);
        policies.awaitEffect();
    }

    @AfterAll
    static void uninstall() {
        policies.close();
    }

    @BeforeEach
    void start() {
        client = API.client();
        asOperator = policies.as(OPERATOR);
        namespace = API.newNamespace();
        kubectl = new Kubectl(client, namespace);
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(asOperator, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
        asOperator.close();
    }

    @Test
    void aNativeJobIsRunUpgradedAndDeletedUnderThem() {
        kubectl.create(
                new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));
        runJob("orders");
        soon(() -> assertThat(ready(FlinkDeployment.class, "orders")).isEqualTo("True"));
        String former = attempt("orders");

        kubectl.edit(FlinkDeployment.class, "orders", spec -> spec.put("image", "flink:1.20-new"));
        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(former);
                });
        kubectl.delete(FlinkDeployment.class, "orders");

        soon(() -> assertThat(gone("orders")).isTrue());
    }

    @Test
    void aStandaloneJobIsScaledAndDeletedUnderThem() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        spec.withObject("/flinkConfiguration").put("scheduler-mode", "reactive");
        kubectl.create(new FlinkDeployment(), "orders", spec);
        runJob("orders");
        soon(() -> assertThat(ready(FlinkDeployment.class, "orders")).isEqualTo("True"));

        kubectl.edit(
                FlinkDeployment.class,
                "orders",
                edited -> {
                    edited.withObject("/taskManager").put("replicas", 3);
                    return edited;
                });
        soon(() -> assertThat(taskManagers().getSpec().getReplicas()).isEqualTo(3));
        kubectl.delete(FlinkDeployment.class, "orders");

        soon(
                () -> {
                    kubelet.finishDeletion("orders-taskmanager");
                    assertThat(gone("orders")).isTrue();
                });
    }

    @Test
    void aSessionClusterAndItsJobAreRunAndDeletedUnderThem() {
        kubectl.create(new FlinkDeployment(), "session", SessionSnapshots.sessionCluster());
        operator.jobManagers().start(RunningOperator.address(namespace, "session"));
        soon(() -> assertThat(kubelet.deployment("session")).isPresent());
        kubelet.makeAvailable("session");
        kubectl.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(ready(FlinkSessionJob.class, "report")).isEqualTo("True"));

        kubectl.delete(FlinkSessionJob.class, "report");
        kubectl.delete(FlinkDeployment.class, "session");

        soon(() -> assertThat(gone("session")).isTrue());
    }

    @Test
    void aPairGoesOverUnderThem() {
        ObjectNode pair = JsonNodeFactory.instance.objectNode();
        pair.putObject("template").set("spec", Specs.application("flink:1.20", "stateless"));
        kubectl.create(new FlinkBlueGreenDeployment(), "pair", pair);
        runJob("pair-blue");
        soon(() -> assertThat(ready(FlinkBlueGreenDeployment.class, "pair")).isEqualTo("True"));

        kubectl.edit(
                FlinkBlueGreenDeployment.class,
                "pair",
                spec -> {
                    ObjectNode edited = spec.deepCopy();
                    edited.withObject("/template/spec").put("image", "flink:1.20-new");
                    return edited;
                });
        runJob("pair-green");

        soon(() -> assertThat(gone("pair-blue")).isTrue());
        kubectl.edit(
                FlinkBlueGreenDeployment.class,
                "pair",
                spec -> {
                    ObjectNode edited = spec.deepCopy();
                    edited.withObject("/template/spec/job").put("state", "suspended");
                    return edited;
                });
        soon(
                () ->
                        assertThat(
                                        client.resources(FlinkDeployment.class)
                                                .inNamespace(namespace)
                                                .withName("pair-green")
                                                .get()
                                                .getSpec()
                                                .at("/job/state")
                                                .asText())
                                .isEqualTo("suspended"));
    }

    private boolean gone(String name) {
        kubelet.finishDeletion(name);
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get()
                == null;
    }

    private void runJob(String name) {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        operator.jobManagers()
                .start(RunningOperator.address(namespace, name))
                .run(attempt(name), name, VERTEX);
        kubelet.makeAvailable(name);
    }

    private String attempt(String name) {
        return kubelet.deployment(name)
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    private Deployment taskManagers() {
        return kubelet.deployment("orders-taskmanager").orElseThrow();
    }

    private String ready(
            Class<? extends CustomResource<ObjectNode, ObjectNode>> kind, String name) {
        return Optional.ofNullable(
                        client.resources(kind)
                                .inNamespace(namespace)
                                .withName(name)
                                .get()
                                .getStatus())
                .stream()
                .flatMap(status -> status.path("conditions").valueStream())
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst()
                .map(condition -> condition.path("status").asText())
                .orElse("");
    }
}
