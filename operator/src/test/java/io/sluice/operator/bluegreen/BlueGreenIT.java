// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.OperatorAccount;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs as a real API server stores them and their halves. */
class BlueGreenIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String VERTEX = "cbc357ccb763df2852fee8c4fc7d55f2";

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final FakeJobManager jobManagers = new FakeJobManager();
    private KubernetesClient client;
    private String namespace;
    private Kubelet kubelet;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = started();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    /** With another process of the operator for each step, or with the same one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOverToTheOtherHalfAndRemovesTheFormerOne(boolean isKilled) {
        create();
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        FlinkDeployment blue = half("blue").orElseThrow();
        assertThat(blue.getMetadata().getLabels())
                .containsEntry("flink/blue-green-deployment-type", "BLUE");
        assertThat(blue.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getController()).isTrue())
                .satisfies(owner -> assertThat(owner.getBlockOwnerDeletion()).isFalse());
        restart(isKilled);

        edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(half("green")).isPresent());
        restart(isKilled);
        String path =
                status().transition().orElseThrow().savepoint().orElseThrow().path().orElseThrow();
        assertThat(half("green").orElseThrow().getSpec().at("/job/initialSavepointPath").asText())
                .isEqualTo(path.startsWith("file:") ? path.substring("file:".length()) : path);
        assertThat(half("blue").orElseThrow().getSpec()).isEqualTo(blue.getSpec());

        run("orders-green");
        soon(() -> assertThat(isLeaving("blue")).isTrue());
        restart(isKilled);
        gone("blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        assertThat(messages("Promoted")).isNotEmpty();
        staysAsItIs();
    }

    @Test
    void abortsAHalfThatDoesNotComeUpAndMakesItAnewForTheNextSpec() {
        create();
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        edit(spec -> spec.put("image", "flink:none"));
        soon(() -> assertThat(half("green")).isPresent());
        String aborted = half("green").orElseThrow().getMetadata().getUid();

        ahead.set(Duration.ofMinutes(11));

        soon(
                () ->
                        assertThat(half("green").orElseThrow().getSpec().at("/job/state").asText())
                                .isEqualTo("suspended"));
        finish("orders-green");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE FAILING TransitionFailed"));
        assertThat(half("blue").orElseThrow().getSpec().at("/job/state").asText())
                .isEqualTo("running");

        edit(spec -> spec.put("image", "flink:1.20-2"));
        gone("green", aborted);
        soon(() -> assertThat(half("green")).isPresent());
        run("orders-green");
        soon(() -> assertThat(isLeaving("blue")).isTrue());
    }

    /** The next process repeats what the status says, with no more rights than the chart gives. */
    @Test
    void makesTheHalfThatIsOnRecordThoughTheOperatorEndedBeforeItWasMade() {
        create();
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(half("green")).isPresent());
        operator.close();
        FlinkDeployment green = half("green").orElseThrow();
        client.resource(green)
                .edit(
                        it -> {
                            it.getMetadata().setFinalizers(List.of());
                            return it;
                        });
        client.resource(green).delete();
        soon(() -> assertThat(half("green")).isEmpty());

        try (KubernetesClient role =
                        OperatorAccount.in(API, namespace).serving(namespace).client();
                var _ =
                        new RunningOperator(
                                role,
                                namespace,
                                jobManagers,
                                () -> Instant.now().plus(ahead.get()))) {
            soon(() -> assertThat(half("green")).isPresent());
        }
    }

    /** No controller counts here, so that the test says what it would have counted. */
    @Test
    void beginsNoTransitionThatTheQuotaOfTheNamespaceHasNoRoomFor() {
        ResourceQuota quota = counted("team", "3", "2");
        create();
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        ObjectNode before = half("blue").orElseThrow().getSpec();

        edit(spec -> spec.put("image", "flink:1.20-2"));

        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING NoRoomForBoth"));
        assertThat(status().condition("Stalled").orElseThrow().message())
                .contains("ResourceQuota 'team' leaves 1 of pods, and a second half takes 2.");
        soon(() -> assertThat(messages("NoRoomForBoth")).hasSize(1));
        assertThat(messages("TransitionStarted")).isEmpty();
        assertThat(half("green")).isEmpty();
        assertThat(half("blue").orElseThrow().getSpec()).isEqualTo(before);
        staysAsItIs();

        client.resource(withStatus(quota, "4", "2")).updateStatus();
        soon(() -> assertThat(half("green")).isPresent());
        run("orders-green");
        soon(() -> assertThat(isLeaving("blue")).isTrue());
        gone("blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
    }

    /** What the autoscaler asks of the one half is what the other one starts with. */
    @Test
    void startsTheOtherHalfWithTheSizeOfTheActiveOneAndRescalesNeitherInBetween() {
        asks("orders-blue", VERTEX + ":3");
        create(spec -> Specs.configured(spec, "job.autoscaler.enabled", "true"));
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        assertThat(overridesOf("blue")).isEqualTo(VERTEX + ":3");
        isOwned("orders-blue");

        edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(half("green")).isPresent());
        asks("orders-blue", VERTEX + ":5");
        soon(() -> assertThat(overridesOf("green")).isEqualTo(VERTEX + ":3"));
        staysAt("blue", VERTEX + ":3");

        run("orders-green");
        soon(() -> assertThat(isLeaving("blue")).isTrue());
        gone("blue");
        assertThat(overrides("orders-blue").get()).as("it is deleted with the half").isNull();
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        staysAt("green", VERTEX + ":3");

        asks("orders-green", VERTEX + ":4");
        soon(() -> assertThat(overridesOf("green")).isEqualTo(VERTEX + ":4"));
    }

    /** As the autoscaler does. */
    private void asks(String name, String wanted) {
        ConfigMap map =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("autoscaler-" + name)
                        .withNamespace(namespace)
                        .addToLabels("component", "autoscaler")
                        .addToLabels("app", name)
                        .endMetadata()
                        .addToData("parallelismOverrides", wanted)
                        .build();
        client.resource(map).forceConflicts().serverSideApply();
    }

    private void isOwned(String name) {
        FlinkDeployment half = half(name.substring("orders-".length())).orElseThrow();
        overrides(name)
                .edit(
                        map ->
                                new ConfigMapBuilder(map)
                                        .editMetadata()
                                        .addNewOwnerReference()
                                        .withApiVersion(half.getApiVersion())
                                        .withKind(half.getKind())
                                        .withName(name)
                                        .withUid(half.getMetadata().getUid())
                                        .endOwnerReference()
                                        .endMetadata()
                                        .build());
    }

    private Resource<ConfigMap> overrides(String name) {
        return client.configMaps().inNamespace(namespace).withName("autoscaler-" + name);
    }

    /** What the cluster of a half was made with. */
    private String overridesOf(String color) {
        return half(color)
                .flatMap(it -> Optional.ofNullable(it.getStatus()))
                .map(FlinkDeploymentStatus::of)
                .flatMap(LastReconciledSpec::running)
                .map(it -> ParallelismOverrides.in(it.spec().flinkConfiguration()).text())
                .orElse("");
    }

    private void staysAt(String color, String overrides) {
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(overridesOf(color)).isEqualTo(overrides));
    }

    private ResourceQuota counted(String name, String hard, String used) {
        ResourceQuota created =
                client.resource(
                                new ResourceQuotaBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .withNamespace(namespace)
                                        .endMetadata()
                                        .withNewSpec()
                                        .addToHard("pods", new Quantity(hard))
                                        .endSpec()
                                        .build())
                        .create();
        return client.resource(withStatus(created, hard, used)).updateStatus();
    }

    private static ResourceQuota withStatus(ResourceQuota quota, String hard, String used) {
        return new ResourceQuotaBuilder(quota)
                .withNewStatus()
                .addToHard("pods", new Quantity(hard))
                .addToUsed("pods", new Quantity(used))
                .endStatus()
                .build();
    }

    @Test
    void leavesAFlinkDeploymentOfSomebodyElseAlone() {
        var foreign = new FlinkDeployment();
        foreign.getMetadata().setNamespace(namespace);
        foreign.getMetadata().setName("orders-blue");
        foreign.setSpec(Specs.saving(Specs.application("flink:1.20", "stateless")));
        client.resource(foreign).create();

        create();

        soon(() -> assertThat(reason()).isEqualTo("NameOccupied"));
        assertThat(half("blue").orElseThrow().getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void suspendsAndResumesInPlace() {
        create();
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        String uid = half("blue").orElseThrow().getMetadata().getUid();

        edit(spec -> spec.withObject("/job").put("state", "suspended"));

        finish("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE SUSPENDED Suspended"));
        assertThat(half("green")).isEmpty();
        edit(spec -> spec.withObject("/job").put("state", "running"));
        run("orders-blue");
        soon(() -> assertThat(state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        assertThat(half("blue").orElseThrow().getMetadata().getUid()).isEqualTo(uid);
    }

    @Test
    void letsADeletedPairGoAtOnceAndMakesNoHalfAgain() {
        create();
        soon(() -> assertThat(half("blue")).isPresent());

        new Kubectl(client, namespace).delete(FlinkBlueGreenDeployment.class, "orders");

        soon(() -> assertThat(pair()).isEmpty());
        client.resource(half("blue").orElseThrow()).delete();
        finish("orders-blue");
        gone("blue");
        await().during(ofSeconds(1))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(half("blue")).isEmpty());
    }

    private RunningOperator started() {
        return new RunningOperator(
                client, namespace, jobManagers, () -> Instant.now().plus(ahead.get()));
    }

    private void restart(boolean isKilled) {
        if (isKilled) {
            operator.close();
            operator = started();
        }
    }

    private void create() {
        create(UnaryOperator.identity());
    }

    private void create(UnaryOperator<ObjectNode> change) {
        ObjectNode half = change.apply(Specs.saving(Specs.application("flink:1.20", "savepoint")));
        half.withObject("/flinkConfiguration").put("execution.checkpointing.dir", "file:///c");
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("template").set("spec", half);
        new Kubectl(client, namespace).create(new FlinkBlueGreenDeployment(), "orders", spec);
    }

    private void edit(Consumer<ObjectNode> change) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkBlueGreenDeployment.class,
                        "orders",
                        found -> {
                            ObjectNode spec = found.deepCopy();
                            change.accept((ObjectNode) spec.at("/template/spec"));
                            return spec;
                        });
    }

    /** The cluster of a half comes up, and its job runs. */
    private void run(String name) {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        soon(() -> assertThat(jobId(name)).isNotEmpty());
        jobManagers
                .start(RunningOperator.address(namespace, name))
                .run(jobId(name), name, new JobVertex("01", "count", 1, 128, "RUNNING"));
        kubelet.makeAvailable(name);
    }

    private String jobId(String name) {
        return Optional.ofNullable(
                        client.resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                .map(FlinkDeployment::getStatus)
                .map(status -> status.at("/jobStatus/jobId").asText())
                .orElse("");
    }

    /** The Deployment of a half goes once the operator has deleted it. */
    private void finish(String name) {
        soon(
                () -> {
                    kubelet.finishDeletion(name);
                    assertThat(kubelet.deployment(name)).isEmpty();
                });
    }

    private void gone(String color) {
        gone(color, half(color).map(it -> it.getMetadata().getUid()).orElse(""));
    }

    private void gone(String color, String uid) {
        soon(
                () -> {
                    kubelet.finishDeletion("orders-" + color);
                    assertThat(half(color).map(it -> it.getMetadata().getUid()))
                            .isNotEqualTo(Optional.of(uid));
                });
        collectGarbage();
    }

    /** Nothing else deletes what belonged to a cluster: there is no controller manager. */
    private void collectGarbage() {
        Set<String> owners =
                Stream.<HasMetadata>concat(
                                client
                                        .apps()
                                        .deployments()
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .stream(),
                                client
                                        .resources(FlinkDeployment.class)
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .stream())
                        .map(owner -> owner.getMetadata().getUid())
                        .collect(Collectors.toSet());
        Stream.<HasMetadata>concat(
                        client.services().inNamespace(namespace).list().getItems().stream(),
                        client.configMaps().inNamespace(namespace).list().getItems().stream())
                .filter(it -> !it.getMetadata().getOwnerReferences().isEmpty())
                .filter(
                        it ->
                                it.getMetadata().getOwnerReferences().stream()
                                        .noneMatch(owner -> owners.contains(owner.getUid())))
                .forEach(it -> client.resource(it).delete());
    }

    private boolean isLeaving(String color) {
        return half(color)
                .filter(it -> it.getMetadata().getDeletionTimestamp() != null)
                .isPresent();
    }

    private Optional<FlinkDeployment> half(String color) {
        return Optional.ofNullable(
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .withName("orders-" + color)
                        .get());
    }

    private Optional<FlinkBlueGreenDeployment> pair() {
        return Optional.ofNullable(
                client.resources(FlinkBlueGreenDeployment.class)
                        .inNamespace(namespace)
                        .withName("orders")
                        .get());
    }

    private FlinkBlueGreenDeploymentStatus status() {
        return pair().map(FlinkBlueGreenDeployment::getStatus)
                .map(FlinkBlueGreenDeploymentStatus::of)
                .orElse(FlinkBlueGreenDeploymentStatus.NEW);
    }

    private String reason() {
        return status().condition("Ready").map(it -> it.reason()).orElse("");
    }

    private String state() {
        return status().blueGreenState().map(it -> it.wire()).orElse("")
                + " "
                + status().jobState().map(it -> it.wire()).orElse("")
                + " "
                + reason();
    }

    private List<String> messages(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    private void staysAsItIs() {
        String version = pair().orElseThrow().getMetadata().getResourceVersion();
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(pair().orElseThrow().getMetadata().getResourceVersion())
                                        .isEqualTo(version));
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(60)).untilAsserted(assertion);
    }
}
