// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.manifest.ManifestRenderer;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Crds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private KubernetesClient client;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;
    private FakeCluster flink;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void bringsAJobUpAndReportsItReady() {
        create("orders", Specs.application("flink:1.20", "stateless"));

        soon(() -> assertThat(condition("orders", "Reconciling")).startsWith("True"));
        runJob("orders");

        soon(() -> assertThat(condition("orders", "Ready")).isEqualTo("True JobRunning"));
        var status = status("orders");
        assertThat(status.path("lifecycleState").asText()).isEqualTo("STABLE");
        assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
        assertThat(status.at("/jobStatus/state").asText()).isEqualTo("RUNNING");
        assertThat(resource("orders").getFinalizers())
                .containsExactly(FlinkDeploymentReconciler.FINALIZER);
    }

    @Test
    void appliesWhatTheDeploymentNeedsAsItsOwnerAndFieldManager() {
        create("orders", Specs.application("flink:1.20", "stateless"));

        soon(
                () -> {
                    assertThat(kubelet.deployment("orders")).isPresent();
                    var uid = resource("orders").getMetadata().getUid();
                    var config =
                            client.configMaps()
                                    .inNamespace(namespace)
                                    .withName("flink-config-orders")
                                    .get()
                                    .getMetadata();
                    assertThat(config.getOwnerReferences())
                            .singleElement()
                            .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
                    assertThat(config.getManagedFields())
                            .allMatch(field -> field.getManager().equals("sluice-operator"));
                    assertThat(
                                    client.services()
                                            .inNamespace(namespace)
                                            .withName("orders-rest")
                                            .get())
                            .isNotNull();
                });
    }

    @Test
    void writesItsStatusOncePerTransitionAndNotAtAllInSteadyState() {
        List<String> written = new CopyOnWriteArrayList<>();
        try (var _ = watch(found -> written.add(found.getStatus().toString()))) {
            create("orders", Specs.application("flink:1.20", "stateless"));
            runJob("orders");
            soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
            String version = resource("orders").getMetadata().getResourceVersion();

            await().during(ofSeconds(3))
                    .atMost(ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    resource("orders")
                                                            .getMetadata()
                                                            .getResourceVersion())
                                            .isEqualTo(version));
            List<String> statuses = written.stream().filter(text -> !text.equals("{}")).toList();
            assertThat(statuses).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(7);
        }
    }

    @Test
    void startsTheNewClusterOnlyWhenTheOldOneIsGone() {
        create("orders", Specs.application("flink:1.20", "stateless"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");

        edit("orders", spec -> spec.put("image", "flink:1.20-new"));

        soon(() -> assertThat(kubelet.isLeaving("orders")).isTrue());
        assertThat(status("orders").path("lifecycleState").asText()).isEqualTo("UPGRADING");
        assertThat(jobStates("orders")).containsExactly("CANCELED");
        kubelet.finishDeletion("orders");
        soon(
                () ->
                        assertThat(kubelet.deployment("orders"))
                                .isPresent()
                                .hasValueSatisfying(
                                        _ -> assertThat(attempt("orders")).isNotEqualTo(first)));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        assertThat(
                        kubelet.deployment("orders")
                                .orElseThrow()
                                .getSpec()
                                .getTemplate()
                                .getSpec()
                                .getContainers()
                                .getFirst()
                                .getImage())
                .isEqualTo("flink:1.20-new");
    }

    @Test
    void leavesAJobRunningWhileAPodOfItIsOnANodeThatDoesNotAnswer() {
        create("orders", Specs.application("flink:1.20", "stateless"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        Pod lost = kubelet.loseTaskManager("orders");
        operator.close();
        operator = new RunningOperator(client, namespace, operator.jobManagers());

        edit("orders", spec -> spec.put("image", "flink:1.20-new"));

        soon(
                () ->
                        assertThat(condition("orders", "Reconciling"))
                                .isEqualTo("True WaitingForLostPod"));
        assertThat(message("orders", "Reconciling"))
                .contains("Pod 'orders-taskmanager-1-1' is on node 'n1', which does not answer");
        assertThat(jobStates("orders")).containsExactly("RUNNING");
        assertThat(kubelet.isLeaving("orders")).isFalse();

        client.resource(lost).withGracePeriod(0).delete();
        soon(() -> assertThat(kubelet.isLeaving("orders")).isTrue());
    }

    @Test
    void stopsAStatefulJobWithASavepointAndStartsTheNextFromIt() {
        create("orders", stateful("savepoint"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");

        edit("orders", changed -> changed.put("image", "flink:1.20-new"));

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(first);
                });
        String path = status("orders").at("/jobStatus/upgradeSavepointPath").asText();
        assertThat(path).startsWith("file:///data/s/savepoint-");
        assertThat(configuration("orders")).contains("path: " + path);
    }

    @Test
    void cancelsAJobAndStartsTheNextFromItsLastCheckpoint() {
        var spec = stateful("last-state");
        spec.withObject("/flinkConfiguration").remove("high-availability.type");
        create("orders", spec);
        runJob("orders");
        operator.jobManagers()
                .start(RunningOperator.address(resource("orders")))
                .run(attempt("orders"), "orders", new JobVertex("01", "work", 1, 4, "RUNNING"))
                .completesCheckpoint("file:/data/c/chk-5");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");

        edit("orders", changed -> changed.put("image", "flink:1.20-new"));

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(first);
                });
        assertThat(configuration("orders")).contains("path: file:/data/c/chk-5");
    }

    @Test
    void stopsAJobWithASavepointWhoseCheckpointsWouldGoWithItsCancellation() {
        var spec = stateful("last-state");
        spec.withObject("/flinkConfiguration").remove("high-availability.type");
        create("orders", spec);
        runJob("orders");
        FakeJob job =
                operator.jobManagers()
                        .start(RunningOperator.address(resource("orders")))
                        .run(
                                attempt("orders"),
                                "orders",
                                new JobVertex("01", "work", 1, 4, "RUNNING"));
        job.hasCheckpoints(CheckpointRetention.DELETED);
        job.completesCheckpoint("file:/data/c/chk-5");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");

        edit("orders", changed -> changed.put("image", "flink:1.20-new"));

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(first);
                });
        assertThat(configuration("orders")).contains("path: file:///data/s/savepoint-");
    }

    @Test
    void leavesTheMetadataOfTheLastStateAndStartsTheSameJobAgainWithoutItsOldGraph() {
        create("orders", stateful("last-state"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");
        leaveMap(
                "orders-" + first + "-config-map",
                Map.of("checkpointID-0000000000000000007", "a", "counter", "8"));
        leaveMap("orders-cluster-config-map", Map.of("jobGraph-" + first, "a", "leader", "b"));

        edit("orders", changed -> changed.put("image", "flink:1.20-new"));

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(first);
                });
        assertThat(status("orders").at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(map("orders-" + first + "-config-map"))
                .containsKey("checkpointID-0000000000000000007");
        assertThat(map("orders-cluster-config-map")).containsOnlyKeys("leader");
        assertThat(configuration("orders")).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }

    @Test
    void bringsAJobBackFromItsMetadataWhenItsDeploymentIsGone() {
        create("orders", stateful("last-state"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");
        leaveMap(
                "orders-" + first + "-config-map", Map.of("checkpointID-0000000000000000007", "a"));

        client.apps().deployments().inNamespace(namespace).withName("orders").delete();

        soon(
                () -> {
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(first);
                });
        assertThat(status("orders").at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(configuration("orders")).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }

    @Test
    void goesOnFromTheMetadataWhereAJobManagerHangsWhileItsJobIsBeingStopped() {
        create("orders", stateful("savepoint"));
        runJob("orders", FakeJob::holdsStops);
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        String first = attempt("orders");
        leaveMap(
                "orders-" + first + "-config-map",
                Map.of("checkpointID-0000000000000000007", "a", "counter", "8"));

        edit("orders", changed -> changed.put("image", "flink:1.20-new"));
        soon(
                () ->
                        assertThat(condition("orders", "Reconciling"))
                                .isEqualTo("True SavepointInProgress"));
        operator.jobManagers().stop(RunningOperator.address(resource("orders")));
        soon(() -> assertThat(condition("orders", "Reconciling")).isEqualTo("True JobUnreachable"));
        assertThat(status("orders").at("/jobStatus/state").asText()).isEqualTo("RECONCILING");
        assertThat(kubelet.isLeaving("orders")).isFalse();
        operator.close();
        operator = new RunningOperator(client, namespace, operator.jobManagers(), ahead(11));

        soon(() -> assertThat(kubelet.isLeaving("orders")).isTrue());
        kubelet.finishDeletion("orders");
        soon(
                () ->
                        assertThat(kubelet.deployment("orders"))
                                .hasValueSatisfying(
                                        _ -> assertThat(attempt("orders")).isNotEqualTo(first)));
        assertThat(status("orders").at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(configuration("orders")).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }

    /** Nobody may take its job for one that is not there. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void takesAListOfJobsThatIsRefusedForNoAnswer(int httpStatus) {
        create("orders", stateful("savepoint"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));

        flink.refuses(Optional.of(httpStatus));

        soon(
                () -> {
                    assertThat(condition("orders", "Ready")).isEqualTo("False JobUnreachable");
                    assertThat(message("orders", "Ready")).contains("HTTP " + httpStatus);
                });
    }

    @Test
    void bringsAPodsOwnReasonIntoTheConditionAndAnEvent() {
        create("orders", Specs.application("flink:nowhere", "stateless"));
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());

        kubelet.failPod("orders", "ImagePullBackOff", "no such image flink:nowhere");

        soon(
                () -> {
                    assertThat(message("orders", "Stalled"))
                            .contains("ImagePullBackOff", "no such image flink:nowhere");
                    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                            .anyMatch(event -> event.getReason().equals("ImagePullBackOff"));
                });
    }

    @Test
    void saysWhatKeepsAClusterFromBeingRendered() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        String factor = "kubernetes.jobmanager.memory.limit-factor";

        spec.withObject("/flinkConfiguration").put(factor, "0.5");
        create("orders", spec);

        soon(
                () -> {
                    assertThat(condition("orders", "Stalled")).isEqualTo("True ManifestsRefused");
                    assertThat(message("orders", "Stalled")).contains(factor);
                });
    }

    @Test
    void namesTheVolumeThatAPodWaitsForAndTakesItForAProblemAfterAWhile() {
        operator.close();
        operator = new RunningOperator(client, namespace, new FakeJobManager(), aMinuteAhead());
        create("orders", Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        kubelet.failPod("orders", "PodInitializing", "");
        Pod pod = client.pods().inNamespace(namespace).withName("orders-pod").get();
        String said =
                "MountVolume.SetUp failed for volume \"files\" : configmap \"orders\" not found";
        tellOf(pod, "FailedMount", said);

        pod.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getWaiting()
                .setReason("ContainerCreating");
        client.resource(pod).updateStatus();

        soon(
                () -> {
                    assertThat(condition("orders", "Stalled"))
                            .isEqualTo("False JobManagerIsDeploying");
                    assertThat(message("orders", "Reconciling"))
                            .endsWith("FailedMount: pod orders-pod: " + said);
                });
        operator.close();
        operator = new RunningOperator(client, namespace, new FakeJobManager(), ahead(6));
        soon(
                () -> {
                    assertThat(condition("orders", "Stalled")).isEqualTo("True PodProblem");
                    assertThat(message("orders", "Stalled"))
                            .endsWith("FailedMount: pod orders-pod: " + said);
                    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                            .filteredOn(
                                    event ->
                                            event.getInvolvedObject()
                                                    .getKind()
                                                    .equals("FlinkDeployment"))
                            .anyMatch(event -> event.getReason().equals("FailedMount"));
                });
    }

    @Test
    void leavesADeploymentOfSomebodyElseAloneAndSaysSo() {
        var theirs =
                new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("orders")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("web")
                        .withImage("web")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build();
        client.resource(theirs).create();

        create("orders", Specs.application("flink:1.20", "stateless"));

        soon(
                () ->
                        assertThat(message("orders", "Stalled"))
                                .contains("Deployment 'orders' is there already"));
        assertThat(kubelet.deployment("orders").orElseThrow().getSpec().getSelector())
                .isEqualTo(theirs.getSpec().getSelector());
    }

    @Test
    void endsADeletionEvenThoughNothingAnswersAndLeavesNothingBehind() {
        create("orders", Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        leaveRecovery("orders");

        client.resource(resource("orders")).delete();

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(find("orders")).isEmpty();
                    assertThat(kubelet.deployment("orders")).isEmpty();
                });
        assertThat(recovery("orders")).isEmpty();
    }

    @Test
    void cancelsTheJobOfADeletedResourceBeforeItsClusterGoes() {
        ObjectNode spec = stateful("savepoint");
        spec.withObject("/flinkConfiguration")
                .remove(List.of("high-availability.type", "high-availability.storageDir"));
        create("orders", spec);
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        List<String> states = new CopyOnWriteArrayList<>();

        client.resource(resource("orders")).delete();

        soon(
                () -> {
                    if (!find("orders").isEmpty()) {
                        states.addAll(jobStates("orders"));
                    }
                    kubelet.finishDeletion("orders");
                    assertThat(find("orders")).isEmpty();
                });
        assertThat(states).contains("CANCELED");
    }

    @Test
    void namesThePodThatKeepsADeletedResource() {
        operator.close();
        operator = new RunningOperator(client, namespace, new FakeJobManager(), aMinuteAhead());
        create("orders", Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        kubelet.failPod("orders", "ImagePullBackOff", "no such image");
        var pod = client.pods().inNamespace(namespace).withName("orders-pod");
        pod.edit(
                found -> {
                    found.addFinalizer("example.com/held");
                    return found;
                });

        client.resource(resource("orders")).delete();
        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(message("orders", "Reconciling"))
                            .contains("Pod 'orders-pod' runs on");
                });
        pod.delete();

        soon(
                () -> {
                    assertThat(condition("orders", "Stalled")).isEqualTo("True RemovalOverdue");
                    assertThat(message("orders", "Stalled"))
                            .contains("'orders-pod' waits for", "example.com/held");
                    assertThat(status("orders").path("lifecycleState").asText())
                            .isEqualTo("DELETING");
                    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                            .filteredOn(event -> event.getReason().equals("CleanupFailed"))
                            .singleElement()
                            .satisfies(
                                    event ->
                                            assertThat(event.getMessage())
                                                    .contains("example.com/held"));
                });
        pod.edit(
                found -> {
                    found.getMetadata().setFinalizers(List.of());
                    return found;
                });
        soon(() -> assertThat(find("orders")).isEmpty());
    }

    /** There nothing can be created any more, not even an event. */
    @Test
    void endsADeletionInANamespaceThatIsBeingDeleted() {
        create("orders", stateful("savepoint"));
        runJob("orders");
        leaveRecovery("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        client.namespaces().withName(namespace).delete();
        soon(
                () ->
                        assertThatThrownBy(() -> leaveMap("late", Map.of()))
                                .hasMessageContaining("it is being terminated"));

        client.resource(resource("orders")).delete();

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(find("orders")).isEmpty();
                    assertThat(kubelet.deployment("orders")).isEmpty();
                });
        assertThat(recovery("orders")).isEmpty();
    }

    @Test
    void reportsASpecThatCannotBeReadAndStillLetsItBeDeleted() {
        try (var _ = laxSchema()) {
            soon(() -> create("broken", Specs.broken(Specs.application("", "stateless"))));

            soon(
                    () -> {
                        assertThat(condition("broken", "Stalled")).isEqualTo("True SpecInvalid");
                        assertThat(message("broken", "Stalled")).contains("spec.image");
                    });
            client.resource(resource("broken")).delete();
            soon(() -> assertThat(find("broken")).isEmpty());
        }
    }

    @Test
    void startsAStatelessJobWithoutWhatAnEarlierOneLeftForItsRecovery() {
        leaveRecovery("orders");

        create("orders", Specs.application("flink:1.20", "stateless"));

        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        assertThat(recovery("orders")).isEmpty();
    }

    @Test
    void asksAHumanWhereAnEarlierJobsStateMayBeWanted() {
        leaveRecovery("orders");

        create("orders", stateful("last-state"));

        soon(
                () ->
                        assertThat(message("orders", "Stalled"))
                                .contains(recoveryName("orders"), "delete the ConfigMaps"));
        assertThat(kubelet.deployment("orders")).isEmpty();
        assertThat(recovery("orders")).isPresent();

        edit("orders", spec -> spec.put("image", "flink:1.20-new"));
        soon(() -> assertThat(status("orders").path("observedGeneration").asLong()).isEqualTo(2));
        client.resource(resource("orders")).delete();

        soon(() -> assertThat(find("orders")).isEmpty());
        assertThat(recovery("orders")).isPresent();
        soon(() -> assertThat(told("Cleanup")).contains("0123456789abcdef0123456789abcdef"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "suspended"})
    void leavesAClusterOfItsNameThatWasThereBeforeAndItsMetadata(String state) {
        Deployment theirs = client.resource(handRun("orders")).create();
        kubelet.makeAvailable("orders");
        leaveRecovery("orders");
        create("orders", Specs.withState(stateful("savepoint"), state));
        soon(
                () ->
                        assertThat(condition("orders", "Ready"))
                                .isEqualTo(
                                        state.equals("running")
                                                ? "False WaitingForRemoval"
                                                : "False Suspended"));

        client.resource(resource("orders")).delete();

        soon(() -> assertThat(find("orders")).isEmpty());
        assertThat(kubelet.deployment("orders").orElseThrow().getMetadata())
                .returns(theirs.getMetadata().getUid(), ObjectMeta::getUid)
                .returns(null, ObjectMeta::getDeletionTimestamp);
        assertThat(recovery("orders")).isPresent();
        soon(
                () ->
                        assertThat(told("Cleanup"))
                                .contains("cluster 'orders' exist that were not made for it"));
    }

    @Test
    void deletesTheMetadataOfAResourceThatRan() {
        create("orders", stateful("savepoint"));
        runJob("orders");
        soon(() -> assertThat(condition("orders", "Ready")).startsWith("True"));
        leaveRecovery("orders");

        client.resource(resource("orders")).delete();

        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(find("orders")).isEmpty();
                });
        assertThat(kubelet.deployment("orders")).isEmpty();
        assertThat(recovery("orders")).isEmpty();
    }

    /** As {@code flink run-application} makes it. */
    private Deployment handRun(String name) {
        Map<String, String> labels =
                Map.of("app", name, "component", "jobmanager", "type", "flink-native-kubernetes");
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("flink:1.20")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private String told(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .collect(Collectors.joining("\n"));
    }

    private void tellOf(Pod pod, String reason, String message) {
        client.resource(
                        new EventBuilder()
                                .withNewMetadata()
                                .withName(pod.getMetadata().getName() + ".1")
                                .withNamespace(namespace)
                                .endMetadata()
                                .withType("Warning")
                                .withReason(reason)
                                .withMessage(message)
                                .withLastTimestamp("2026-01-01T00:00:00Z")
                                .withNewInvolvedObject()
                                .withApiVersion("v1")
                                .withKind("Pod")
                                .withName(pod.getMetadata().getName())
                                .withNamespace(namespace)
                                .withUid(pod.getMetadata().getUid())
                                .endInvolvedObject()
                                .build())
                .create();
    }

    private static InstantSource aMinuteAhead() {
        return ahead(1);
    }

    private static InstantSource ahead(int minutes) {
        return InstantSource.offset(InstantSource.system(), Duration.ofMinutes(minutes));
    }

    private void leaveMap(String name, Map<String, String> data) {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .withLabels(
                                        Map.of("app", "orders", "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .withData(data)
                                .build())
                .create();
    }

    private Map<String, String> map(String name) {
        return client.configMaps().inNamespace(namespace).withName(name).get().getData();
    }

    /** The Flink configuration that the cluster runs with, as one text. */
    private String configuration(String name) {
        return map("flink-config-" + name).toString();
    }

    private static ObjectNode stateful(String upgradeMode) {
        var spec = Specs.application("flink:1.20", upgradeMode);
        spec.putObject("flinkConfiguration")
                .put("execution.checkpointing.dir", "file:///data/c")
                .put("execution.checkpointing.savepoint-dir", "file:///data/s")
                .put("high-availability.type", "kubernetes")
                .put("high-availability.storageDir", "file:///data/h");
        return spec;
    }

    private void leaveRecovery(String name) {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(recoveryName(name))
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .addToData("checkpointID-0000000000000000007", "a")
                                .build())
                .create();
    }

    private static String recoveryName(String name) {
        return name + "-0123456789abcdef0123456789abcdef-config-map";
    }

    private Optional<ConfigMap> recovery(String name) {
        return Optional.ofNullable(
                client.configMaps().inNamespace(namespace).withName(recoveryName(name)).get());
    }

    private void create(String name, ObjectNode spec) {
        var deployment = new FlinkDeployment();
        deployment.getMetadata().setName(name);
        deployment.getMetadata().setNamespace(namespace);
        deployment.setSpec(spec);
        client.resource(deployment).create();
    }

    private void edit(String name, UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkDeployment.class, name, change);
    }

    private void runJob(String name) {
        runJob(name, _ -> {});
    }

    private void runJob(String name, Consumer<FakeJob> prepared) {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        flink = operator.jobManagers().start(RunningOperator.address(resource(name)));
        prepared.accept(
                flink.run(attempt(name), name, new JobVertex("01", "work", 1, 4, "RUNNING")));
        kubelet.makeAvailable(name);
    }

    private List<String> jobStates(String name) {
        return operator
                .jobManagers()
                .jobs(RunningOperator.address(namespace, name))
                .answer()
                .orElseThrow()
                .stream()
                .map(JobOverview::state)
                .toList();
    }

    private String attempt(String name) {
        Deployment deployment = kubelet.deployment(name).orElseThrow();
        return deployment.getMetadata().getAnnotations().get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    private FlinkDeployment resource(String name) {
        return find(name).getFirst();
    }

    private List<FlinkDeployment> find(String name) {
        return client
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .toList();
    }

    private ObjectNode status(String name) {
        return resource(name).getStatus();
    }

    private String condition(String name, String type) {
        for (var condition : status(name).path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " " + condition.path("reason").asText();
            }
        }
        return "";
    }

    private String message(String name, String type) {
        for (var condition : status(name).path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("message").asText();
            }
        }
        return "";
    }

    private AutoCloseableQuietly watch(Consumer<FlinkDeployment> seen) {
        var watch =
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .watch(
                                new Watcher<>() {
                                    @Override
                                    public void eventReceived(
                                            Action action, FlinkDeployment resource) {
                                        seen.accept(resource);
                                    }

                                    @Override
                                    public void onClose(WatcherException cause) {}
                                });
        return watch::close;
    }

    /** As an object may be stored that was admitted by an older schema. */
    private AutoCloseableQuietly laxSchema() {
        var strict = Crds.all(client).getFirst();
        var lax = Crds.all(client).getFirst();
        var schema = lax.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
        var spec = schema.getProperties().get("spec");
        spec.setProperties(null);
        spec.setXKubernetesValidations(null);
        spec.setXKubernetesPreserveUnknownFields(true);
        schema.setXKubernetesValidations(null);
        client.resource(lax).forceConflicts().serverSideApply();
        return () -> client.resource(strict).forceConflicts().serverSideApply();
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(30)).untilAsserted(assertion);
    }

    private interface AutoCloseableQuietly extends AutoCloseable {
        @Override
        void close();
    }
}
