// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.operator.model.AutoscalerOverrides.Hold;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutoscalerOverridesTest {
    private static final String JOB = "job: {jarURI: 'local:///a.jar', parallelism: 2}\n";
    private static final String MEMORY =
            """
            ---
            removals: [taskmanager.memory.managed.size, kubernetes.namespace]
            overrides:
              taskmanager.memory.process.size: 1536 mb
              taskmanager.memory.managed.fraction: "0.1"
              kubernetes.service-account: admin
            """;

    @Test
    void areAPartOfTheSpecWhereTheAutoscalerIsOn() throws Exception {
        assertThat(options(spec("{job.autoscaler.enabled: true}"), Map.of(), "aa:3,bb:2"))
                .containsEntry("pipeline.jobvertex-parallelism-overrides", "aa:3,bb:2");
        assertThat(options(spec("{job.autoscaler.enabled: false}"), Map.of(), "aa:3"))
                .doesNotContainKey("pipeline.jobvertex-parallelism-overrides");
    }

    @Test
    void restartNoJobOfAVersionThatIsNotSupported() throws Exception {
        var old = "flinkVersion: v1_14\n" + spec("{job.autoscaler.enabled: true}");

        assertThat(options(old, Map.of(), "aa:3"))
                .doesNotContainKey("pipeline.jobvertex-parallelism-overrides");
    }

    @Test
    void goOnTopOfTheUsersButForVerticesThatAreExcluded() throws Exception {
        String configuration =
                """
                {job.autoscaler.enabled: true, job.autoscaler.vertex.exclude.ids: bb,
                 pipeline: {jobvertex-parallelism-overrides: "aa:1,bb:1,cc:1"}}""";

        assertThat(options(spec(configuration), Map.of(), "aa:3,bb:9"))
                .containsEntry("pipeline.jobvertex-parallelism-overrides", "aa:3,bb:1,cc:1");
    }

    @Test
    void leaveOutWhatIsLargerThanAnythingThatTheAutoscalerWrites() throws Exception {
        String on =
                spec("{job.autoscaler.enabled: true, job.autoscaler.memory.tuning.enabled: true}");
        String many = "ab:1,".repeat(50_000);
        String padded = MEMORY + "# " + "x".repeat(70_000);
        String nested = MEMORY + "deep: " + "[".repeat(20) + "]".repeat(20);

        assertThat(options(on, Map.of(), many))
                .doesNotContainKey("pipeline.jobvertex-parallelism-overrides");
        for (String memory : List.of(padded, nested)) {
            assertThat(options(on, Map.of("configOverrides", memory), "aa:3"))
                    .containsKey("pipeline.jobvertex-parallelism-overrides")
                    .doesNotContainKey("taskmanager.memory.process.size");
        }
        assertThat(options(on, Map.of("configOverrides", MEMORY), "aa:3"))
                .containsKey("taskmanager.memory.process.size");
    }

    @Test
    void leaveOutWhatCanNotBeRead() throws Exception {
        assertThat(
                        options(
                                spec("{job.autoscaler.enabled: true}"),
                                Map.of("configOverrides", ": ["),
                                "aa:3,bb:x,c!:1,dd:0"))
                .containsEntry("pipeline.jobvertex-parallelism-overrides", "aa:3");
    }

    @Test
    void tuneMemoryOnlyWhereThatIsOnAndNothingElse() throws Exception {
        String tuned =
                """
                {job.autoscaler.enabled: true, job.autoscaler.memory.tuning.enabled: true,
                 taskmanager.memory.managed.size: 1g, kubernetes.namespace: shop}""";

        assertThat(options(spec(tuned), Map.of("configOverrides", MEMORY), ""))
                .containsEntry("taskmanager.memory.managed.fraction", "0.1")
                .containsEntry("taskmanager.memory.process.size", "1536 mb")
                .containsEntry("kubernetes.namespace", "shop")
                .doesNotContainKeys(
                        "taskmanager.memory.managed.size", "kubernetes.service-account");
        assertThat(
                        options(
                                spec("{job.autoscaler.enabled: true}"),
                                Map.of("configOverrides", MEMORY),
                                ""))
                .doesNotContainKey("taskmanager.memory.managed.fraction");
    }

    @Test
    void sizeTaskManagersWhereTheirSizeIsWritten() throws Exception {
        String bytes = Long.toString(1536L << 20);

        assertThat(taskManager("{resource: {memory: 2g}}").at("/resource/memory").asText())
                .isEqualTo(bytes);
        assertThat(
                        taskManager("{resources: {limits: {memory: 2Gi}}}")
                                .at("/resources/limits/memory")
                                .asText())
                .isEqualTo(bytes);
        var both =
                taskManager("{resources: {requests: {memory: 2Gi}, limits: {memory: 4Gi}}}")
                        .path("resources");
        assertThat(both.at("/requests/memory").asText()).isEqualTo(bytes);
        assertThat(both.at("/limits/memory").asText()).isEqualTo(Long.toString(3072L << 20));
        assertThat(taskManager("{resource: {cpu: 1}}").at("/resource").has("memory")).isFalse();
    }

    /** During a transition of a blue/green pair. */
    @Test
    void changeNothingOfWhatRunsIfTheyAreReadFromIt() throws Exception {
        String written =
                JOB
                        + """
                        taskManager: {resource: {memory: 2g}}
                        flinkConfiguration:
                          job.autoscaler.enabled: true
                          job.autoscaler.memory.tuning.enabled: true
                          taskmanager.memory.managed.size: 1g
                          taskmanager.memory.network.fraction: "0.2"
                          pipeline.jobvertex-parallelism-overrides: "cc:1"
                        """;
        ObjectNode raw = (ObjectNode) new YAMLMapper().readTree(written);
        var view = new SpecView.Valid(FlinkDeploymentSpec.parse(raw, "spec").value(), raw);
        SpecView.Valid plain = wanted(written, Map.of(), "");
        SpecView.Valid tuned = wanted(written, Map.of("configOverrides", MEMORY), "aa:3");

        for (SpecView.Valid runs : List.of(plain, tuned)) {
            for (AutoscalerOverrides asked :
                    List.of(
                            AutoscalerOverrides.of(Map.of("parallelismOverrides", "aa:9,bb:9")),
                            AutoscalerOverrides.of(Map.of("configOverrides", MEMORY)))) {
                assertThat(
                                asked.asIn(runs.spec(), view)
                                        .in(view, FlinkDeploymentSpec::flinkConfiguration))
                        .isEqualTo(runs);
            }
        }
        assertThat(plain).isNotEqualTo(tuned);
    }

    @Test
    void areNotThoseOfAFormerResourceOfTheSameName() {
        var orders = new FlinkDeployment();
        orders.getMetadata().setName("orders");
        orders.getMetadata().setUid("u-2");

        assertThat(AutoscalerOverrides.isOf(orders, ownedBy("FlinkDeployment", "u-2"))).isTrue();
        assertThat(AutoscalerOverrides.isOf(orders, ownedBy("FlinkDeployment", "u-1"))).isFalse();
        assertThat(AutoscalerOverrides.isOf(orders, ownedBy("FlinkSessionJob", "u-1"))).isTrue();
        assertThat(
                        AutoscalerOverrides.isOf(
                                orders,
                                new ConfigMapBuilder().withNewMetadata().endMetadata().build()))
                .as("the user may write one")
                .isTrue();
    }

    private static ConfigMap ownedBy(String kind, String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .addNewOwnerReference()
                .withKind(kind)
                .withName("orders")
                .withUid(uid)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    @Test
    void tellWhatTheAutoscalerHoldsWhereItIsOn() throws Exception {
        String on = spec("{job.autoscaler.enabled: true}");

        assertThat(hold(on, "DAY_BUDGET_SPENT: the rescales of the day: spent"))
                .contains(new Hold("DayBudgetSpent", "the rescales of the day: spent"));
        assertThat(hold(spec("{}"), "DAY_BUDGET_SPENT: spent")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "held", "Held: why", "HELD: ", "lower_case: why", "A B: why"})
    void tellNoHoldThatTheAutoscalerDidNotWrite(String text) throws Exception {
        assertThat(hold(spec("{job.autoscaler.enabled: true}"), text)).isEmpty();
    }

    @Test
    void tellNoHoldThatIsLongerThanAnythingThatTheAutoscalerWrites() throws Exception {
        assertThat(hold(spec("{job.autoscaler.enabled: true}"), "HELD: " + "x".repeat(5000)))
                .isEmpty();
    }

    private static Optional<Hold> hold(String spec, String text) throws Exception {
        ObjectNode raw = (ObjectNode) new YAMLMapper().readTree(spec);
        var map = new ConfigMapBuilder().addToData("governorHold", text).build();
        return AutoscalerOverrides.of(Optional.of(map))
                .holdOf(
                        new SpecView.Valid(FlinkDeploymentSpec.parse(raw, "spec").value(), raw),
                        FlinkDeploymentSpec::flinkConfiguration);
    }

    private static ObjectNode taskManager(String yaml) throws Exception {
        String spec =
                JOB
                        + "taskManager: "
                        + yaml
                        + "\nflinkConfiguration: {job.autoscaler.enabled: true,"
                        + " job.autoscaler.memory.tuning.enabled: true}";
        return (ObjectNode)
                wanted(spec, Map.of("configOverrides", MEMORY), "").raw().get("taskManager");
    }

    private static Map<String, String> options(
            String spec, Map<String, String> data, String parallelism) throws Exception {
        return wanted(spec, data, parallelism).spec().flinkConfiguration().entries();
    }

    private static SpecView.Valid wanted(String spec, Map<String, String> data, String parallelism)
            throws Exception {
        ObjectNode raw = (ObjectNode) new YAMLMapper().readTree(spec);
        var map =
                new ConfigMapBuilder()
                        .withData(data)
                        .addToData("parallelismOverrides", parallelism)
                        .build();
        var view = new SpecView.Valid(FlinkDeploymentSpec.parse(raw, "spec").value(), raw);
        return (SpecView.Valid)
                AutoscalerOverrides.of(Optional.of(map))
                        .in(view, FlinkDeploymentSpec::flinkConfiguration);
    }

    private static String spec(String configuration) {
        return JOB + "flinkConfiguration: " + configuration;
    }
}
