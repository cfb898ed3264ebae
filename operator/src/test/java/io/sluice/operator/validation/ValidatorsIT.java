// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.MinimalSpec;
import io.sluice.operator.OperatorUnderTest;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real operator with a plugin's validator, and no webhook in front of the API server: whichever
 * way a spec comes in, it is the operator that has to refuse it. What it made of a spec is asked of
 * the API server: no Deployment has the image that is refused.
 */
class ValidatorsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final Map<String, String> LABEL = Map.of("flink.apache.org/canary", "true");
    private static String home;
    private static String tenant;
    private static OperatorUnderTest operator;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        home = API.newNamespace();
        tenant = API.newNamespace();
        operator =
                OperatorUnderTest.start(
                        folder,
                        API.kubeconfig(),
                        home,
                        """
                        kubernetes.operator.reconcile.interval: 1 s
                        kubernetes.operator.validation.timeout: 2 s
                        kubernetes.operator.health.canary.resource.timeout: 1 s
                        """,
                        Map.of(
                                "SLUICE_WATCH_NAMESPACES",
                                home + "," + tenant,
                                "SLUICE_PLUGIN_DIR",
                                PluginFolder.write(folder.resolve("plugins"), ImageValidator.class)
                                        .toString()));
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void theSameSpecIsRefusedInEveryNamespaceAndThatIsShownEverywhere() {
        for (String namespace : List.of(tenant, home)) {
            create(namespace, "plain", "image:foreign", Map.of(), Map.of());
            create(namespace, "plain-good", "image:good", Map.of(), Map.of());

            soon(() -> assertThat(deployment(namespace, "plain-good")).isPresent());
            soon(() -> assertThat(stalled(namespace, "plain")).isEqualTo("SpecRefused"));
            assertThat(error(namespace, "plain"))
                    .contains("plugin  spec.image: is foreign; use one of this house");
            assertThat(deployment(namespace, "plain")).isEmpty();
            soon(() -> assertThat(events(namespace, "plain")).contains("SpecRefused"));
            soon(
                    () ->
                            assertThat(operator.metrics())
                                    .contains(
                                            "sluice_operator_passes_total{kind=\"FlinkDeployment\","
                                                    + "reason=\"SpecRefused\""));
        }
    }

    @Test
    void theLabelOfACanaryLetsNothingPassWithItOrWithoutIt() {
        create(tenant, "labelled", "image:foreign", LABEL, Map.of());
        create(tenant, "labelled-good", "image:good", LABEL, Map.of());
        soon(
                () ->
                        assertThat(error(tenant, "labelled"))
                                .contains("is foreign")
                                .contains("kubernetes.operator.health.canary.resources"));
        soon(() -> assertThat(stalled(tenant, "labelled-good")).isEqualTo("SpecRefused"));
        assertThat(resource(tenant, "labelled").getSpec().has("restartNonce"))
                .as("changed as a canary is")
                .isFalse();

        unlabel(tenant, "labelled");
        unlabel(tenant, "labelled-good");

        soon(() -> assertThat(deployment(tenant, "labelled-good")).isPresent());
        soon(
                () ->
                        assertThat(error(tenant, "labelled"))
                                .contains("is foreign")
                                .doesNotContain("canary"));
        assertThat(deployment(tenant, "labelled")).isEmpty();
    }

    @Test
    void aCanaryOfThePlatformIsValidatedOnceItsLabelGoes() {
        create(home, "tweety", "image:foreign", LABEL, Map.of());
        soon(() -> assertThat(resource(home, "tweety").getSpec().has("restartNonce")).isTrue());
        soon(() -> assertThat(operator.metrics()).contains("name=\"tweety\""));

        unlabel(home, "tweety");

        soon(() -> assertThat(stalled(home, "tweety")).isEqualTo("SpecRefused"));
        assertThat(deployment(home, "tweety")).isEmpty();
        soon(
                () ->
                        assertThat(operator.metrics().lines())
                                .noneMatch(
                                        line ->
                                                line.startsWith("sluice_operator_canary")
                                                        && line.contains("tweety")));
    }

    @Test
    void neitherATemplateNorARunOfACronJobGetsPast() {
        Map<String, String> often = Map.of("job.execute.cron", "* * * * *");
        create(tenant, "nightly", "image:foreign", Map.of(), often);
        soon(() -> assertThat(stalled(tenant, "nightly")).isEqualTo("SpecRefused"));
        soon(() -> assertThat(events(tenant, "nightly")).contains("SpecRefused"));

        create(
                tenant,
                "nightly-01010000",
                "image:foreign",
                Map.of("sluice.io/cron-template", "nightly"),
                Map.of("sluice.io/cron-fire-time", "2026-01-01T00:00:00Z"));

        soon(() -> assertThat(stalled(tenant, "nightly-01010000")).isEqualTo("SpecRefused"));
        assertThat(deployment(tenant, "nightly-01010000")).isEmpty();
        assertThat(
                        API.client()
                                .resources(FlinkDeployment.class)
                                .inNamespace(tenant)
                                .withLabel("sluice.io/cron-template", "nightly")
                                .list()
                                .getItems())
                .extracting(run -> run.getMetadata().getName())
                .containsExactly("nightly-01010000");
    }

    @Test
    void whatRunsGoesOnUntouchedWhileItsEditIsRefused() {
        create(tenant, "running", "image:good", Map.of(), Map.of());
        soon(() -> assertThat(deployment(tenant, "running")).isPresent());
        String uid = deployment(tenant, "running").orElseThrow().getMetadata().getUid();

        edit(tenant, "running", "image:foreign");

        soon(() -> assertThat(stalled(tenant, "running")).isEqualTo("SpecRefused"));
        assertThat(deployment(tenant, "running").orElseThrow().getMetadata().getUid())
                .isEqualTo(uid);
        edit(tenant, "running", "image:good-too");
        soon(
                () ->
                        assertThat(resource(tenant, "running").getStatus().toString())
                                .contains("image:good-too"));
    }

    @Test
    void aSessionJobIsValidatedToo() {
        API.client()
                .resource(
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkSessionJob
                        metadata: {name: report}
                        spec:
                          deploymentName: session
                          job: {jarURI: "https://jars.example.org/image:foreign.jar", parallelism: 1}
                        """)
                .inNamespace(tenant)
                .create();

        soon(
                () ->
                        assertThat(
                                        stalled(
                                                API.client()
                                                        .resources(FlinkSessionJob.class)
                                                        .inNamespace(tenant)
                                                        .withName("report")
                                                        .get()))
                                .isEqualTo("SpecRefused"));
    }

    @Test
    void aValidatorThatHangsHoldsUpItsResourceAlone() {
        create(tenant, "endless", "image:hangs", Map.of(), Map.of());
        create(tenant, "odd", "image:throws", Map.of(), Map.of());
        create(tenant, "beside", "image:good", Map.of(), Map.of());

        soon(() -> assertThat(deployment(tenant, "beside")).isPresent());
        soon(() -> assertThat(stalled(tenant, "endless")).isEqualTo("ValidationFailed"));
        soon(() -> assertThat(stalled(tenant, "odd")).isEqualTo("ValidationFailed"));
        assertThat(deployment(tenant, "endless")).isEmpty();
        assertThat(deployment(tenant, "odd")).isEmpty();
    }

    private static void create(
            String namespace,
            String name,
            String image,
            Map<String, String> labels,
            Map<String, String> annotations) {
        ObjectNode spec = MinimalSpec.spec("running").put("image", image);
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        resource.getMetadata().setLabels(labels);
        resource.getMetadata().setAnnotations(annotations);
        resource.setSpec(spec);
        API.client().resource(resource).create();
    }

    private static void edit(String namespace, String name, String image) {
        patch(namespace, name, "{\"spec\":{\"image\":\"" + image + "\"}}");
    }

    private static void unlabel(String namespace, String name) {
        patch(namespace, name, "{\"metadata\":{\"labels\":{\"flink.apache.org/canary\":null}}}");
    }

    private static void patch(String namespace, String name, String merge) {
        API.client()
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    }

    private static FlinkDeployment resource(String namespace, String name) {
        return API.client()
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private static Optional<Deployment> deployment(String namespace, String name) {
        return Optional.ofNullable(
                API.client().apps().deployments().inNamespace(namespace).withName(name).get());
    }

    private static String error(String namespace, String name) {
        return Optional.ofNullable(resource(namespace, name).getStatus())
                .map(status -> status.path("error").asText(""))
                .orElse("");
    }

    private static String stalled(String namespace, String name) {
        return stalled(resource(namespace, name));
    }

    /** The reason for which it is stalled; empty if it is not. */
    private static String stalled(CustomResource<ObjectNode, ObjectNode> resource) {
        if (resource.getStatus() == null) {
            return "";
        }
        for (var condition : resource.getStatus().path("conditions")) {
            if (condition.path("type").asText().equals("Stalled")
                    && condition.path("status").asText().equals("True")) {
                return condition.path("reason").asText();
            }
        }
        return "";
    }

    private static List<String> events(String namespace, String name) {
        return API.client().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(name))
                .map(Event::getReason)
                .toList();
    }
}
