// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.Warning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviceTest {
    private static final String DEPLOYMENT =
            """
            kind: FlinkDeployment
            metadata: {name: orders, namespace: default}
            spec:
              flinkVersion: v1_20
              serviceAccount: flink
              image: flink:1.20
              flinkConfiguration:
                execution.checkpointing.dir: s3://c
                execution.checkpointing.savepoint-dir: s3://s
              jobManager: {resource: {memory: 1Gi}}
              taskManager: {resource: {memory: 1Gi}}
              job: {parallelism: 2, state: running, upgradeMode: savepoint}
            """;
    private static final String SESSION_JOB =
            """
            kind: FlinkSessionJob
            metadata: {name: report, namespace: default}
            spec:
              deploymentName: orders
              job: {jarURI: "https://repo.example.org/job.jar", parallelism: 2}
            """;

    @Test
    void saysNothingOfWhatIsPlain() {
        assertThat(review(yaml(DEPLOYMENT), Lookup.NOTHING)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "taskmanager.numberOfTaskSlot | unknown-config-key | mean taskmanager.numberOfTaskSlots",
                "job.autoscaler.enabld | unknown-config-key | mean job.autoscaler.enabled",
                "kubernetes.operator.watched.namespaces | operator-only-config-key | own configuration",
                "kubernetes.operator.admission.pod-security | operator-only-config-key | remove it",
                "kubernetes.operator.what.is.this | unknown-config-key | is unknown and has no effect",
                "job.autoscaler.what.is.this | unknown-config-key | is unknown and has no effect",
                "kubernetes.operator.job.autoscaler.what.is.this | unknown-config-key | has no effect",
                "kubernetes.operator.savepoint.dispose-on-delet | unknown-config-key | mean kubernetes.operator.savepoint.dispose-on-delete",
                "kubernetes.operator.exception.label.mapper | config-key-without-effect | The reason of the conditions",
                "kubernetes.operator.metrics.reporter.slf4j.factory.class | config-key-without-effect | There are no reporters.",
                "kubernetes.operator.config.cache.size | config-key-without-effect | has no effect. The cache",
                "job.autoscaler.metrics.custom-evaluator.mine.class | config-key-without-effect | Plugins of the autoscaler",
                "env.java.opts | deprecated-config-key | env.java.opts.all",
                "s3.secret-key | secret-in-plain-text | Secret",
            })
    void warnsOfAnOddKey(String key, String id, String text) {
        var warnings = review(with(spec -> configuration(spec).put(key, "1 s")), Lookup.NOTHING);

        assertThat(warnings)
                .singleElement()
                .satisfies(
                        warning -> {
                            assertThat(warning.id()).isEqualTo(id);
                            assertThat(warning.path())
                                    .isEqualTo("spec.flinkConfiguration[" + key + "]");
                            assertThat(warning.message()).contains(text).doesNotContain("1 s");
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "my.own.very.special.option",
        "metrics.reporter.prom.factory.class",
        "env.MY_VARIABLE",
        "pipeline.name",
        "state.checkpoints.dir.of.mine",
        "kubernetes.operator.job.autoscaler.enabled",
        "kubernetes.operator.plugins.mine.level",
        "kubernetes.operator.snapshot.resource.enabled",
        "kubernetes.secrets",
        "kubernetes.env.secretKeyRef",
        "security.delegation.tokens.enabled",
    })
    void letsOtherKeysBe(String key) {
        assertThat(review(with(spec -> configuration(spec).put(key, "false")), Lookup.NOTHING))
                .isEmpty();
    }

    @Test
    void saysWhatHappensInPlaceOfAnOptionThatIsOn() {
        var warnings =
                review(
                        with(
                                spec ->
                                        configuration(spec)
                                                .put(
                                                        "kubernetes.operator.pod-template.merge-arrays-by-name",
                                                        false)),
                        Lookup.NOTHING);

        assertThat(warnings)
                .extracting(Warning::text)
                .containsExactly(
                        "spec.flinkConfiguration[kubernetes.operator.pod-template.merge-arrays-by-name]:"
                                + " has no effect. Containers are always merged by name."
                                + " [config-key-without-effect]");
    }

    @Test
    void showsBothReadingsOfAUnit() {
        var warnings = review(with(spec -> memory(spec, "2G")), Lookup.NOTHING);

        assertThat(warnings)
                .singleElement()
                .extracting(Warning::text)
                .isEqualTo(
                        "spec.taskManager.resource.memory: '2G' is 2147483648 bytes here, not"
                                + " 2000000000; write 2Gi to be clear [ambiguous-unit]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2048m", "2g", "2 gb", "2048 MB", "2Gi", "2147483648"})
    void saysNothingOfAUnitWithOneReading(String size) {
        assertThat(review(with(spec -> memory(spec, size)), Lookup.NOTHING)).isEmpty();
    }

    @Test
    void showsThemOnceOnly() {
        var deployed = with(spec -> memory(spec, "2G"));

        assertThat(review(edited(deployed, _ -> {}), Lookup.NOTHING)).isEmpty();
    }

    @Test
    void warnsOfADeprecatedVersion() {
        assertThat(review(with(spec -> spec.put("flinkVersion", "v1_18")), Lookup.NOTHING))
                .extracting(Warning::id)
                .containsExactly("deprecated-flink-version");
    }

    @Test
    void warnsOfAVersionThatIsNoLongerSupportedWhereItsJobIsSavepointed() {
        var deployed = with(spec -> spec.put("flinkVersion", "v1_14"));

        var warnings =
                review(
                        edited(
                                deployed,
                                spec -> spec.withObject("/job").put("checkpointTriggerNonce", 1)),
                        Lookup.NOTHING);

        assertThat(warnings)
                .filteredOn(warning -> warning.id().equals("deprecated-flink-version"))
                .singleElement()
                .extracting(Warning::message)
                .asString()
                .contains("'v1_14' is no longer supported, and no restart is accepted");
    }

    @Test
    void warnsOfAnAutoscalerThatFlinkIgnores() {
        assertThat(
                        review(
                                with(
                                        spec ->
                                                configuration(spec.put("flinkVersion", "v2_3"))
                                                        .put("job.autoscaler.enabled", "true")),
                                Lookup.NOTHING))
                .extracting(Warning::id)
                .containsExactly("scaling-needs-adaptive-scheduler");
    }

    @Test
    void warnsOfASessionClusterWhoseMetadataHaveNoPlaceOfTheirOwnInZooKeeper() {
        ObjectNode shared = withZooKeeper(spec -> spec.remove("job"));

        assertThat(review(shared, Lookup.NOTHING))
                .extracting(Warning::id)
                .containsExactly("session-cluster-zookeeper-root");
        assertThat(
                        review(
                                withZooKeeper(
                                        spec -> {
                                            spec.remove("job");
                                            configuration(spec)
                                                    .put(
                                                            "high-availability.zookeeper.path.root",
                                                            "/flink/orders");
                                        }),
                                Lookup.NOTHING))
                .isEmpty();
        assertThat(review(withZooKeeper(_ -> {}), Lookup.NOTHING)).isEmpty();
    }

    private static ObjectNode withZooKeeper(Consumer<ObjectNode> change) {
        return with(
                spec -> {
                    configuration(spec)
                            .put("high-availability.type", "zookeeper")
                            .put("high-availability.zookeeper.quorum", "zk:2181")
                            .put("high-availability.storageDir", "s3://flink/ha");
                    change.accept(spec);
                });
    }

    @Test
    void warnsOfAJobResultThatIsDeletedWithTheEndOfTheJob() {
        assertThat(review(withDeletedResults("kubernetes"), Lookup.NOTHING))
                .extracting(Warning::id)
                .containsExactly("job-result-deleted");
        assertThat(review(withDeletedResults("none"), Lookup.NOTHING)).isEmpty();
    }

    private static ObjectNode withDeletedResults(String availability) {
        return with(
                spec ->
                        configuration(spec)
                                .put("high-availability.type", availability)
                                .put("high-availability.storageDir", "s3://flink/ha")
                                .put("job-result-store.delete-on-commit", "true"));
    }

    @Test
    void warnsOfWhatThePolicyOnlyFrownsUpon() {
        var lenient =
                new DefaultConfiguration(
                        new FlinkConfiguration(
                                Map.of("kubernetes.operator.admission.restricted-keys", "warn")));
        var resource =
                with(
                        spec -> {
                            configuration(spec).put("rest.address", "elsewhere");
                            spec.putObject("podTemplate").putObject("spec").put("hostPID", true);
                        });

        var findings =
                new Reviewer(lenient)
                        .review(
                                ReviewRequest.of(ResourceKind.FLINK_DEPLOYMENT, resource),
                                Lookup.NOTHING);

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.warnings())
                .extracting(Warning::id)
                .containsExactly("pod-security", "restricted-config-key");
    }

    @Test
    void saysWhetherAClusterIsMissingOrOnlyUnknown() {
        assertThat(review(yaml(SESSION_JOB), (_, _, _) -> new Lookup.Absent()))
                .extracting(Warning::id)
                .containsExactly("target-not-found");
        assertThat(review(yaml(SESSION_JOB), Lookup.NOTHING))
                .extracting(Warning::id)
                .containsExactly("checks-deferred");
        assertThat(review(yaml(SESSION_JOB), (_, _, _) -> new Lookup.Found(session()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/image | other | restarts the job through a savepoint: spec.image",
                "/job/upgradeMode | stateless | takes effect without a restart: spec.job.upgradeMode",
                "/job/state | suspended | suspends the job with a savepoint: spec.job.state",
                "/flinkConfiguration/s3.endpoint | x | restarts the job through a savepoint: spec.flinkConfiguration.s3.endpoint",
            })
    void saysWhatAnEditWillDo(String field, String value, String text) {
        var edited =
                edited(
                        yaml(DEPLOYMENT),
                        spec -> {
                            int slash = field.lastIndexOf('/');
                            ObjectNode parent =
                                    slash == 0
                                            ? spec
                                            : (ObjectNode) spec.at(field.substring(0, slash));
                            parent.put(field.substring(slash + 1), value);
                        });

        assertThat(review(edited, Lookup.NOTHING))
                .extracting(Warning::text)
                .containsExactly("spec: " + text + " [edit-effect]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "default  | job.autoscaler.metrics.window        | 5 min | ; what the autoscaler then asks for restarts the job",
                "adaptive | job.autoscaler.metrics.window        | 5 min | ''",
                "adaptive | job.autoscaler.memory.tuning.enabled | true  | ; what the autoscaler then asks for restarts the job",
                "default  | job.autoscaler.enabled               | false | ''",
            })
    void saysWhenTheAutoscalerWillRestartTheJob(
            String scheduler, String key, String value, String restarts) {
        var before = with(spec -> configuration(spec).put("jobmanager.scheduler", scheduler));

        assertThat(effect(edited(before, spec -> configuration(spec).put(key, value))))
                .isEqualTo(
                        "takes effect without a restart"
                                + restarts
                                + ": spec.flinkConfiguration."
                                + key);
    }

    @Test
    void whatTheAutoscalerHadAskedForIsNobodysEdit() {
        var scaled = with(spec -> configuration(spec).put(ParallelismOverrides.KEY, "aa:3"));
        var unscaled = edited(scaled, spec -> configuration(spec).remove(ParallelismOverrides.KEY));

        assertThat(review(unscaled, Lookup.NOTHING)).isEmpty();
    }

    @Test
    void saysThatAJobWithTheAdaptiveSchedulerIsScaledInPlace() {
        var adaptive = with(spec -> configuration(spec).put("jobmanager.scheduler", "adaptive"));

        assertThat(
                        effect(
                                edited(
                                        adaptive,
                                        spec ->
                                                configuration(spec)
                                                        .put(ParallelismOverrides.KEY, "aa:3"))))
                .isEqualTo(
                        "changes the job's parallelism without a restart: spec.flinkConfiguration."
                                + ParallelismOverrides.KEY);
    }

    @Test
    void saysThatAStatelessRestartDropsState() {
        var stateless =
                with(spec -> ((ObjectNode) spec.get("job")).put("upgradeMode", "stateless"));

        assertThat(effect(edited(stateless, spec -> spec.put("image", "other"))))
                .isEqualTo("stateless restart, the job's state is dropped: spec.image");
    }

    @Test
    void saysThatASuspendedJobTakesNoNotice() {
        var suspended = with(spec -> ((ObjectNode) spec.get("job")).put("state", "suspended"));

        assertThat(effect(edited(suspended, spec -> spec.put("image", "other"))))
                .isEqualTo("has no effect until the job is resumed: spec.image");
        assertThat(
                        effect(
                                edited(
                                        suspended,
                                        spec ->
                                                ((ObjectNode) spec.get("job"))
                                                        .put("state", "running"))))
                .isEqualTo("resumes the job from the state it was suspended with: spec.job.state");
    }

    @Test
    void namesAFewFieldsAndCountsTheRest() {
        var edited =
                edited(
                        yaml(DEPLOYMENT),
                        spec ->
                                List.of("a", "b", "c", "d", "e", "f")
                                        .forEach(key -> configuration(spec).put("my." + key, "1")));

        assertThat(effect(edited)).endsWith("spec.flinkConfiguration.my.d and 2 more");
    }

    @Test
    void everyWarningIsTestedHereOrInSnapshotAdviceTest() {
        assertThat(Advice.ALL.stream().map(Rule::id))
                .containsExactlyInAnyOrder(
                        "unknown-config-key",
                        "config-key-without-effect",
                        "operator-only-config-key",
                        "deprecated-config-key",
                        "secret-in-plain-text",
                        "ambiguous-unit",
                        "deprecated-flink-version",
                        "session-cluster-zookeeper-root",
                        "scaling-needs-adaptive-scheduler",
                        "job-result-deleted",
                        "pod-security",
                        "restricted-config-key",
                        "edit-effect",
                        "target-not-found",
                        "checks-deferred",
                        "snapshot-waits-for-job",
                        "snapshot-without-folder",
                        "snapshot-effect");
    }

    private static String effect(ObjectNode resource) {
        return review(resource, Lookup.NOTHING).stream()
                .filter(warning -> warning.id().equals("edit-effect"))
                .map(Warning::message)
                .findFirst()
                .orElseThrow();
    }

    private static List<Warning> review(ObjectNode resource, Lookup lookup) {
        var kind = ResourceKind.WORDS.get(resource.path("kind").asText());
        var findings =
                new Reviewer(DefaultConfiguration.NONE)
                        .review(ReviewRequest.of(kind, resource), lookup);
        assertThat(findings.problems()).isEmpty();
        return findings.warnings();
    }

    /** {@code deployed}, taken up by the operator, with a change. */
    private static ObjectNode edited(ObjectNode deployed, Consumer<ObjectNode> edit) {
        ObjectNode resource = deployed.deepCopy();
        resource.withObjectProperty("status")
                .withObjectProperty("reconciliationStatus")
                .put(
                        "lastReconciledSpec",
                        new ReconciledSpec((ObjectNode) deployed.get("spec"), false).encode());
        edit.accept((ObjectNode) resource.get("spec"));
        return resource;
    }

    private static ObjectNode with(Consumer<ObjectNode> change) {
        ObjectNode resource = yaml(DEPLOYMENT);
        change.accept((ObjectNode) resource.get("spec"));
        return resource;
    }

    private static ObjectNode session() {
        ObjectNode session = yaml(DEPLOYMENT);
        ((ObjectNode) session.get("spec")).remove("job");
        return session;
    }

    private static ObjectNode configuration(ObjectNode spec) {
        return spec.withObjectProperty("flinkConfiguration");
    }

    private static void memory(ObjectNode spec, String size) {
        ((ObjectNode) spec.at("/taskManager/resource")).put("memory", size);
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
