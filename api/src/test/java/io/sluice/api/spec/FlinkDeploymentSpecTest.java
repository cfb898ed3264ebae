// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.json.FieldProblem;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlinkDeploymentSpecTest {
    @Test
    void readsEveryFieldOfAnApplication() throws Exception {
        var parsed =
                FlinkDeploymentSpec.parse(
                        yaml(
                                """
                                image: flink:1.20
                                imagePullPolicy: IfNotPresent
                                flinkVersion: v1_20
                                serviceAccount: flink
                                mode: native
                                restartNonce: 7
                                flinkConfiguration: {a.b: 1, c: {d: [x, y]}}
                                ingress: {template: "{{name}}.example.org", tls: [{hosts: [h], secretName: s}]}
                                podTemplate: {spec: {}}
                                logConfiguration: {log4j-console.properties: x}
                                jobManager: {replicas: 1, resource: {cpu: 0.5, memory: 1g}}
                                taskManager: {resources: {limits: {memory: 2Gi, cpu: 1}, claims: [{name: card, request: half}]}}
                                job: {jarURI: "local:///a.jar", args: [-x], parallelism: 2, upgradeMode: last-state, state: suspended}
                                """),
                        "spec");

        assertThat(parsed.problems()).isEmpty();
        var spec = parsed.value();
        assertThat(spec.flinkVersion()).contains(FlinkVersion.V1_20);
        assertThat(spec.flinkConfiguration().entries())
                .containsEntry("a.b", "1")
                .containsEntry("c.d", "x;y");
        assertThat(spec.jobManager().resource().orElseThrow().memory()).contains("1g");
        assertThat(spec.taskManager().resources().orElseThrow().limits()).containsEntry("cpu", "1");
        assertThat(spec.taskManager().resources().orElseThrow().claims())
                .containsExactly(new ResourcesSpec.Claim("card", Optional.of("half")));
        var job = spec.job().orElseThrow();
        assertThat(job.upgradeMode()).isEqualTo(UpgradeMode.LAST_STATE);
        assertThat(job.state()).isEqualTo(DesiredJobState.SUSPENDED);
        assertThat(job.args()).containsExactly("-x");
    }

    @Test
    void reportsEveryWronglyTypedFieldWithItsPathAndValueAndReadsTheRest() throws Exception {
        var parsed =
                FlinkDeploymentSpec.parse(
                        yaml(
                                """
                                image: 7
                                flinkVersion: v9_9
                                serviceAccount: flink
                                job: {parallelism: "2", args: [1], state: running}
                                taskManager: many
                                """),
                        "spec");

        assertThat(parsed.problems())
                .extracting(FieldProblem::path)
                .containsExactlyInAnyOrder(
                        "spec.image",
                        "spec.flinkVersion",
                        "spec.job.parallelism",
                        "spec.job.args[0]",
                        "spec.taskManager");
        assertThat(parsed.problems())
                .anySatisfy(
                        problem ->
                                assertThat(problem.text()).contains("'v9_9' is not one of v1_13"));
        assertThat(parsed.value().serviceAccount()).contains("flink");
    }

    @Test
    void readsNestedAndFlatConfigurationAsTheSameSpec() throws Exception {
        var flat =
                FlinkDeploymentSpec.parse(
                        yaml("{image: i, flinkConfiguration: {a.b: 1, a.c: true}}"), "spec");
        var nested =
                FlinkDeploymentSpec.parse(
                        yaml("{flinkConfiguration: {a: {c: true, b: 1}}, image: i}"), "spec");

        assertThat(flat.value()).isEqualTo(nested.value());
    }

    @Test
    void takesAnEmptySpecForOneWithoutFields() throws Exception {
        var parsed = FlinkDeploymentSpec.parse(yaml("{}"), "spec");

        assertThat(parsed.isClean()).isTrue();
        assertThat(parsed.value().job()).isEqualTo(Optional.empty());
    }

    @Test
    void saysSoWhenTheSpecIsNoObject() throws Exception {
        assertThat(FlinkDeploymentSpec.parse(yaml("[1]"), "spec").problems())
                .extracting(FieldProblem::path)
                .containsExactly("spec");
    }

    private static JsonNode yaml(String text) throws Exception {
        return new YAMLMapper().readTree(text);
    }
}
