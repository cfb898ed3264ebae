// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.rules.diff.SpecDiff.Effect;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecDiffTest {
    @ParameterizedTest
    @CsvSource({
        "/image, UPGRADE",
        "/imagePullPolicy, UPGRADE",
        "/serviceAccount, UPGRADE",
        "/job/jarURI, UPGRADE",
        "/job/entryClass, UPGRADE",
        "/job/initialSavepointPath, IGNORE",
        "/flinkConfiguration/parallelism.default, IGNORE",
        "/flinkConfiguration/kubernetes.operator.reconcile.interval, IGNORE",
        "/flinkConfiguration/job.autoscaler.enabled, IGNORE",
        "/flinkConfiguration/taskmanager.numberOfTaskSlots, UPGRADE",
    })
    void asksForWhatTheContractSays(String path, Effect effect) {
        int slash = path.lastIndexOf('/');
        var diff =
                diff(
                        spec ->
                                parent(spec, path.substring(0, slash))
                                        .put(path.substring(slash + 1), "x1"));

        assertThat(diff.effect()).isEqualTo(effect);
        assertThat(diff.changes())
                .singleElement()
                .satisfies(
                        change ->
                                assertThat(change.path())
                                        .isEqualTo("spec" + path.replace('/', '.')));
    }

    @Test
    void scalesForOtherParallelismOfItsVertices() {
        assertThat(overrides("aa:1", "aa:2").effect()).isEqualTo(Effect.SCALE);
        assertThat(overrides("aa:1", "aa:2").isOverridesOnly()).isTrue();
        assertThat(overrides("aa:1,bb:2", " bb:2, aa:1").changes()).isEmpty();
        assertThat(overrides("aa:1", "").effect()).isEqualTo(Effect.IGNORE);
    }

    private static SpecDiff overrides(String before, String after) {
        return between(
                spec ->
                        spec.withObject("/flinkConfiguration")
                                .put(ParallelismOverrides.KEY, before),
                spec ->
                        spec.withObject("/flinkConfiguration")
                                .put(ParallelismOverrides.KEY, after));
    }

    @Test
    void restartsForANewRestartNonceAndNotForARemovedOne() {
        assertThat(diff(spec -> spec.put("restartNonce", 1)).effect()).isEqualTo(Effect.UPGRADE);
        assertThat(between(spec -> spec.put("restartNonce", 1), _ -> {}).effect())
                .isEqualTo(Effect.IGNORE);
    }

    @Test
    void upgradesForTheStrongestOfSeveralChanges() {
        var diff =
                diff(
                        spec -> {
                            spec.put("image", "other");
                            spec.withObject("/job").put("upgradeMode", "savepoint");
                        });

        assertThat(diff.effect()).isEqualTo(Effect.UPGRADE);
        assertThat(diff.changes()).hasSize(2);
    }

    @Test
    void restartsForAnotherResourceClaimAlone() {
        var diff =
                diff(
                        spec ->
                                spec.withObject("/taskManager/resources")
                                        .putArray("claims")
                                        .addObject()
                                        .put("name", "card"));

        assertThat(diff.effect()).isEqualTo(Effect.UPGRADE);
    }

    @Test
    void holdsNoValuesWhichMayBeSecret() {
        var diff =
                diff(spec -> spec.withObject("/flinkConfiguration").put("s3.secret-key", "hush"));

        assertThat(diff.toString()).doesNotContain("hush");
    }

    @Test
    void takesWhatTheModelWritesOutForTheSame() {
        var diff =
                diff(
                        spec -> {
                            spec.putNull("restartNonce").put("mode", "native");
                            spec.withObject("/jobManager").put("replicas", 1).putNull("resources");
                            spec.withObject("/taskManager").putObject("resources");
                            spec.withObject("/job").putArray("args");
                            spec.putObject("podTemplate").putObject("spec").putArray("tolerations");
                        });

        assertThat(diff.effect()).isEqualTo(Effect.NONE);
    }

    @Test
    void takesAPodForItsTemplateAndANumberForItsText() {
        var diff =
                between(
                        spec -> {
                            var pod = spec.putObject("podTemplate").put("kind", "Pod");
                            pod.putObject("metadata").put("name", "x").putNull("creationTimestamp");
                            pod.withObject("/spec/nodeSelector").put("a", "1");
                        },
                        spec -> spec.withObject("/podTemplate/spec/nodeSelector").put("a", 1));

        assertThat(diff.effect()).isEqualTo(Effect.NONE);
    }

    @Test
    void scalesAStandaloneClusterAndUpgradesANativeOne() {
        for (String path : List.of("/job/parallelism", "/taskManager/replicas")) {
            int slash = path.lastIndexOf('/');
            Consumer<ObjectNode> change =
                    spec ->
                            parent(spec, path.substring(0, slash))
                                    .put(path.substring(slash + 1), 7);

            assertThat(diff(change).effect()).isEqualTo(Effect.UPGRADE);
            assertThat(
                            between(
                                            spec -> spec.put("mode", "standalone"),
                                            change.andThen(spec -> spec.put("mode", "standalone")))
                                    .effect())
                    .isEqualTo(Effect.SCALE);
        }
    }

    @Test
    void knowsEveryFieldThereIs() {
        long fields =
                Stream.of(FlinkDeploymentSpec.class, JobSpec.class)
                        .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                        .count();

        assertThat(fields)
                .as("a field was added: say in SpecDiff what a change of it asks for")
                .isEqualTo(25);
    }

    private static SpecDiff diff(Consumer<ObjectNode> change) {
        return between(_ -> {}, change);
    }

    private static SpecDiff between(Consumer<ObjectNode> before, Consumer<ObjectNode> after) {
        return SpecDiff.between(spec(before), spec(after));
    }

    private static FlinkDeploymentSpec spec(Consumer<ObjectNode> change) {
        ObjectNode spec =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", "flink:1.20")
                        .put("flinkVersion", "v1_20")
                        .put("serviceAccount", "flink");
        spec.putObject("job")
                .put("jarURI", "local:///opt/flink/usrlib/a.jar")
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", "stateless");
        for (String component : List.of("jobManager", "taskManager")) {
            spec.putObject(component).putObject("resource").put("cpu", 0.1).put("memory", "1g");
        }
        change.accept(spec);
        return FlinkDeploymentSpec.parse(spec, "spec").value();
    }

    private static ObjectNode parent(ObjectNode spec, String path) {
        return path.isEmpty() ? spec : spec.withObject(path);
    }
}
