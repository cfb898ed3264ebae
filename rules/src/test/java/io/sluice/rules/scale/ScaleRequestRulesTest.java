// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ScaleRequestRulesTest {
    private static final ScaleRequest TO_THREE = new ScaleRequest("shop", "orders", 3);
    private static final Map<String, String> NONE = Map.of();
    private static final Map<String, String> ON = Map.of("job.autoscaler.enabled", "true");
    private static final Map<String, String> OFF = Map.of("job.autoscaler.enabled", "false");
    private static final String OVERLAY = "kubernetes.operator.default-configuration.namespace.";

    static List<Arguments> configurations() {
        return List.of(
                arguments("nothing is said", NONE, NONE, false),
                arguments("the job is autoscaled", NONE, ON, true),
                arguments("the job is not", NONE, OFF, false),
                arguments("the platform autoscales all jobs", ON, NONE, true),
                arguments("the platform autoscales all jobs but this one", ON, OFF, false),
                arguments("this namespace is autoscaled", inNamespace("shop"), NONE, true),
                arguments("another namespace is autoscaled", inNamespace("bank"), NONE, false),
                arguments(
                        "jobs of this version are autoscaled",
                        Map.of(
                                "kubernetes.operator.default-configuration.flink-version.v1_20"
                                        + ".job.autoscaler.enabled",
                                "true"),
                        NONE,
                        true),
                arguments(
                        "the older spelling",
                        NONE,
                        Map.of("kubernetes.operator.job.autoscaler.enabled", "true"),
                        true),
                arguments("no value of its type", NONE, with(Map.of(), "enabled", "yes"), false),
                arguments("it only evaluates", NONE, with(ON, "scaling.enabled", "false"), false),
                arguments(
                        "it scales as by default", NONE, with(ON, "scaling.enabled", "true"), true),
                arguments("it recommends", NONE, with(ON, "governor.mode", "recommend"), false),
                arguments("its governor is off", NONE, with(ON, "governor.mode", "off"), false),
                arguments("it applies", NONE, with(ON, "governor.mode", "Apply"), true),
                arguments(
                        "the platform recommends and the job applies",
                        with(ON, "governor.mode", "recommend"),
                        with(Map.of(), "governor.mode", "apply"),
                        true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configurations")
    void refusesToScaleAJobWhoseAutoscalerAppliesWhatItDecides(
            String why, Map<String, String> platforms, Map<String, String> own, boolean refused) {
        assertThat(check(platforms, new Lookup.Found(job(own))))
                .extracting(Violation::rule)
                .isEqualTo(refused ? List.of("one-scaler-per-job") : List.of());
    }

    @Test
    void namesTheOptionAndBothWaysOut() {
        assertThat(check(NONE, new Lookup.Found(job(ON))))
                .singleElement()
                .extracting(Violation::text)
                .isEqualTo(
                        "one-scaler-per-job  spec.replicas: '3' can't be set while Sluice's"
                                + " autoscaler scales the job: job.autoscaler.enabled is 'true';"
                                + " either delete the HorizontalPodAutoscaler and leave out kubectl"
                                + " scale, or set job.autoscaler.enabled: \"false\" in"
                                + " spec.flinkConfiguration of FlinkDeployment 'orders'");
    }

    @Test
    void saysThatTheOptionIsThePlatforms() {
        assertThat(check(ON, new Lookup.Found(job(NONE))))
                .singleElement()
                .extracting(Violation::text)
                .asString()
                .contains("is 'true' (set through another spelling or the operator's defaults);");
    }

    @Test
    void admitsToScaleASessionCluster() {
        ObjectNode cluster = job(ON);
        cluster.withObject("/spec").remove("job");

        assertThat(check(NONE, new Lookup.Found(cluster))).isEmpty();
    }

    @Test
    void admitsToScaleWhatIsNotKnown() {
        assertThat(check(ON, new Lookup.Unknown())).isEmpty();
        assertThat(check(ON, new Lookup.Absent())).isEmpty();
    }

    @Test
    void readsTheOptionsOfTheAutoscalerInAnySpelling() {
        assertThat(
                        List.of(
                                "job.autoscaler.enabled",
                                "kubernetes.operator.job.autoscaler.enabled",
                                "job.autoscaler.scaling.enabled",
                                "job.autoscaler.governor.mode"))
                .allMatch(ScaleReview::isRead);
        assertThat(List.of("job.autoscaler.metrics.window", "state.backend.type", "enabled"))
                .noneMatch(ScaleReview::isRead);
    }

    private static List<Violation> check(Map<String, String> platforms, Lookup.Answer answer) {
        return ScaleRequestRules.check(
                TO_THREE,
                (_, namespace, name) ->
                        namespace.equals("shop") && name.equals("orders")
                                ? answer
                                : new Lookup.Absent(),
                new DefaultConfiguration(new FlinkConfiguration(platforms)));
    }

    private static ObjectNode job(Map<String, String> configuration) {
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        ObjectNode spec = resource.putObject("spec").put("flinkVersion", "v1_20");
        spec.putObject("job");
        ObjectNode options = spec.putObject("flinkConfiguration");
        configuration.forEach(options::put);
        return resource;
    }

    private static Map<String, String> inNamespace(String namespace) {
        return Map.of(OVERLAY + namespace + ".job.autoscaler.enabled", "true");
    }

    private static Map<String, String> with(
            Map<String, String> options, String name, String value) {
        return new FlinkConfiguration(options)
                .with(new FlinkConfiguration(Map.of("job.autoscaler." + name, value)))
                .entries();
    }
}
