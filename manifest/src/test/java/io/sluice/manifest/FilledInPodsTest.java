// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the platform has filled in for the pods of a cluster. */
class FilledInPodsTest {
    private static final String LOG4J =
            "kubernetes.operator.flink-logging.log4j-console.properties";
    private static final String LOGBACK = "kubernetes.operator.flink-logging.logback-console.xml";

    private static final String SPEC =
            """
            image: flink:1.20
            flinkVersion: v1_20
            serviceAccount: flink
            flinkConfiguration: {OPTIONS}
            jobManager: {resource: {cpu: 1, memory: 1g}}
            taskManager: {resource: {cpu: 1, memory: 1g}}
            podTemplate:
              spec:
                securityContext: {POD}
                initContainers: [{name: prepare, image: busybox}]
            job: {jarURI: "local:///job.jar", parallelism: 1}
            """;

    private static JsonNode pod(String options, String pod) throws Exception {
        return PodTemplates.taskManager(
                        Plans.of(SPEC.replace("OPTIONS", options).replace("POD", pod)))
                .path("spec");
    }

    private static JsonNode yaml(String text) throws Exception {
        return new YAMLMapper().readTree(text);
    }

    private static JsonNode main(JsonNode spec) {
        return spec.path("containers").path(0).path("securityContext");
    }

    private static JsonNode initContainer(JsonNode spec) {
        return spec.path("initContainers").path(0).path("securityContext");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "kubernetes.operator.pod-security.fill-in: Restricted",
                "kubernetes.operator.pod-security.fill-in: nonsense",
                "kubernetes.operator.pod-security.fill-in: none,"
                        + " kubernetes.operator.admission.pod-security: restricted"
            })
    void areRestrictedUnlessThePlatformSaysOtherwise(String options) throws Exception {
        JsonNode pod = pod(options, "");

        assertThat(pod.path("securityContext"))
                .isEqualTo(
                        yaml(
                                "{runAsNonRoot: true, runAsUser: 9999, fsGroup: 9999,"
                                        + " fsGroupChangePolicy: OnRootMismatch, seccompProfile:"
                                        + " {type: RuntimeDefault}}"));
        assertThat(main(pod))
                .isEqualTo(yaml("{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}"));
    }

    @Test
    void letOtherContainersRunAsTheirImagesSayWithBaseline() throws Exception {
        JsonNode pod = pod("kubernetes.operator.pod-security.fill-in: baseline", "");

        assertThat(pod.path("securityContext"))
                .isEqualTo(
                        yaml(
                                "{fsGroup: 9999, fsGroupChangePolicy: OnRootMismatch,"
                                        + " seccompProfile: {type: RuntimeDefault}}"));
        assertThat(main(pod))
                .isEqualTo(
                        yaml(
                                "{runAsNonRoot: true, runAsUser: 9999, allowPrivilegeEscalation:"
                                        + " false, capabilities: {drop: [ALL]}}"));
        assertThat(initContainer(pod).isMissingNode()).isTrue();
    }

    @Test
    void keepTheUserOfThePodWithBaseline() throws Exception {
        JsonNode pod = pod("kubernetes.operator.pod-security.fill-in: baseline", "runAsUser: 0");

        assertThat(main(pod).has("runAsNonRoot")).isFalse();
        assertThat(main(pod).has("runAsUser")).isFalse();
    }

    @Test
    void areLeftAsTheyAreWithNone() throws Exception {
        JsonNode pod = pod("kubernetes.operator.pod-security.fill-in: none", "");

        assertThat(pod.path("securityContext")).isEmpty();
        assertThat(main(pod).isMissingNode()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"restricted", "baseline"})
    void leaveUserAndGroupToThePlatform(String level) throws Exception {
        JsonNode pod =
                pod(
                        "kubernetes.operator.pod-security.fixed-user: false,"
                                + " kubernetes.operator.pod-security.fill-in: "
                                + level,
                        "");

        assertThat(pod.toString())
                .doesNotContain("9999", "fsGroup")
                .contains("\"runAsNonRoot\":true");
    }

    /** Another group may be shared with others, whose choice it is how a volume is handed over. */
    @Test
    void keepTheGroupThatATemplateNamesAsItIs() throws Exception {
        JsonNode security = pod("", "fsGroup: 5").path("securityContext");

        assertThat(security.path("fsGroup").asInt()).isEqualTo(5);
        assertThat(security.has("fsGroupChangePolicy")).isFalse();
    }

    private static String rendered(String spec) throws Exception {
        List<HasMetadata> manifests = ManifestRenderer.render(Plans.of(spec));
        return manifests.stream()
                .filter(ConfigMap.class::isInstance)
                .map(map -> ((ConfigMap) map).getData().toString())
                .reduce("", String::concat);
    }

    @Test
    void logAsThePlatformSaysWhereTheResourceSaysNothing() throws Exception {
        String spec =
                SPEC.replace(
                                "OPTIONS",
                                "'" + LOG4J + "': fleet.log4j, '" + LOGBACK + "': fleet.logback")
                        .replace("POD", "");

        assertThat(rendered(spec)).contains("fleet.log4j", "fleet.logback");
        assertThat(rendered("mode: standalone\n" + spec)).contains("fleet.log4j", "fleet.logback");
        assertThat(rendered(spec + "logConfiguration: {log4j-console.properties: own.log4j}\n"))
                .contains("own.log4j")
                .doesNotContain("fleet");
    }
}
