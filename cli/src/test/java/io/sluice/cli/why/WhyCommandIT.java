// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.ClusterCommand;
import io.sluice.cli.Kubeconfigs;
import io.sluice.cli.Orders;
import io.sluice.testkit.ApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command against a real API server with the real CRDs. */
class WhyCommandIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String namespace = "";

    @BeforeEach
    void makeNamespace() {
        namespace = API.newNamespace();
    }

    @Test
    void aStalledJobIsExplainedByItsConditionItsEventsAndThePage() throws IOException {
        FlinkDeployment job = deployment("orders");
        store(job, "Stalled", "JobNotFound", "It listed no job.");
        event(job, "Warning", "JobException", "java.lang.OutOfMemoryError");

        assertThat(run(administrator(), "orders")).as(err.toString()).isEqualTo(1);

        assertThat(out.toString())
                .contains(
                        "FlinkDeployment " + namespace + "/orders is stalled",
                        "It listed no job.",
                        "Warning JobException, ",
                        "java.lang.OutOfMemoryError",
                        "- kubectl -n " + namespace + " logs deployment/orders");
    }

    @Test
    void aReadyJobEndsWithZeroAndIsOneObjectForPrograms() throws IOException {
        FlinkDeployment job = deployment("orders");
        store(job, "Ready", "JobRunning", "The job runs.");

        assertThat(run(administrator(), "flinkdep/orders", "-o", "json")).isZero();

        ObjectNode object = Resources.json(out.toString());
        assertThat(object.path("verdict").asText()).isEqualTo("ready");
        assertThat(object.path("events")).isEmpty();
    }

    @Test
    void aPairIsExplainedWithBothHalves() throws IOException {
        var pair = new FlinkBlueGreenDeployment();
        pair.getMetadata().setName("orders");
        pair.getMetadata().setNamespace(namespace);
        pair.setSpec(Resources.json("{}"));
        pair.getSpec().putObject("template").set("spec", deployment("model").getSpec());
        API.client().resource(pair).create();
        store(pair, "Reconciling", "StartingOtherHalf", "It is being started.");
        store(deployment("orders-blue"), "Ready", "JobRunning", "The job runs.");

        assertThat(run(administrator(), "flinkbgdep/orders")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains(
                        "FlinkBlueGreenDeployment " + namespace + "/orders is in progress",
                        "FlinkDeployment " + namespace + "/orders-blue is ready",
                        "There is no FlinkDeployment orders-green.");
    }

    @Test
    void aSnapshotIsExplainedWithItsJob() throws IOException {
        store(deployment("orders"), "Ready", "JobRunning", "The job runs.");
        var snapshot = new FlinkStateSnapshot();
        snapshot.getMetadata().setName("before-friday");
        snapshot.getMetadata().setNamespace(namespace);
        snapshot.setSpec(
                Resources.json(
                        "{\"jobReference\":{\"kind\":\"FlinkDeployment\",\"name\":\"orders\"},"
                                + "\"savepoint\":{}}"));
        API.client().resource(snapshot).create();

        assertThat(run(administrator(), "before-friday")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains(
                        "FlinkStateSnapshot " + namespace + "/before-friday is in progress",
                        "No operator has looked at it",
                        "FlinkDeployment " + namespace + "/orders is ready");
    }

    @Test
    void whatIsNotThereAndWhoMayNotSeeItEndsWithTwo() throws IOException {
        assertThat(run(administrator(), "ordres")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no resource 'ordres'");

        deployment("orders");
        Path kubeconfig = guest(rule("flinkdeployments"));

        assertThat(run(kubeconfig, "flinksnp/orders")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no right to get flinkstatesnapshots.flink.apache.org in namespace");
    }

    @Test
    void whoMayNotListEventsIsToldAllElse() throws IOException {
        store(deployment("orders"), "Ready", "JobRunning", "The job runs.");

        assertThat(run(guest(rule("flinkdeployments")), "orders")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("The job runs.", "no right to list events in namespace '" + namespace);
    }

    private FlinkDeployment deployment(String name) {
        HasMetadata loaded =
                API.client()
                        .load(
                                new ByteArrayInputStream(
                                        Orders.withMetadata(
                                                        "{name: "
                                                                + name
                                                                + ", namespace: "
                                                                + namespace
                                                                + "}")
                                                .getBytes(StandardCharsets.UTF_8)))
                        .items()
                        .getFirst();
        API.client().resource(loaded).create();
        return API.client()
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private void store(RawResource resource, String type, String reason, String message) {
        RawResource stored =
                API.client()
                        .resources(RawResource.of(resource.kind()).getClass())
                        .inNamespace(namespace)
                        .withName(resource.getMetadata().getName())
                        .get();
        ObjectNode status = Resources.json(Resources.status(type, reason, message));
        status.put("observedGeneration", stored.getMetadata().getGeneration());
        if (resource.kind() == ResourceKind.FLINK_DEPLOYMENT) {
            status.put("lifecycleState", "DEPLOYED");
        }
        stored.setStatus(status);
        API.client().resource(stored).updateStatus();
    }

    private void event(RawResource about, String type, String reason, String message) {
        API.client()
                .resource(
                        new EventBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withGenerateName("test-")
                                .endMetadata()
                                .withType(type)
                                .withReason(reason)
                                .withMessage(message)
                                .withLastTimestamp(InstantSource.system().instant().toString())
                                .withNewInvolvedObject()
                                .withKind(about.getKind())
                                .withNamespace(namespace)
                                .withName(about.getMetadata().getName())
                                .withUid(about.getMetadata().getUid())
                                .endInvolvedObject()
                                .build())
                .create();
    }

    private int run(Path kubeconfig, String... arguments) {
        return new ClusterCommand(new WhyCommand(), kubeconfig, namespace, out, err).run(arguments);
    }

    private Path administrator() throws IOException {
        return new Kubeconfigs(API, folder).administrator();
    }

    private Path guest(PolicyRule rule) throws IOException {
        return new Kubeconfigs(API, folder).guest(namespace, rule);
    }

    private static PolicyRule rule(String plural) {
        return new PolicyRuleBuilder()
                .withApiGroups("flink.apache.org")
                .withResources(plural)
                .withVerbs("get")
                .build();
    }
}
