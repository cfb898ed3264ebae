// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.flink.rest.JobVertex;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StandaloneIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String NAME = "orders";

    private KubernetesClient client;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;

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
    void makesTaskManagersThatBelongToTheJobManagerAndScalesThem() {
        create();
        runJob();

        soon(() -> assertThat(ready()).isEqualTo("True"));
        Deployment made = taskManagers().orElseThrow();
        assertThat(made.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(
                        owner ->
                                assertThat(owner.getUid())
                                        .isEqualTo(
                                                kubelet.deployment(NAME)
                                                        .orElseThrow()
                                                        .getMetadata()
                                                        .getUid()));
        assertThat(made.getSpec().getReplicas()).isEqualTo(1);
        edit(
                spec -> {
                    spec.withObject("/taskManager").put("replicas", 3);
                    return spec;
                });

        soon(() -> assertThat(taskManagers().orElseThrow().getSpec().getReplicas()).isEqualTo(3));
        assertThat(taskManagers().orElseThrow().getMetadata().getUid())
                .isEqualTo(made.getMetadata().getUid());
    }

    @Test
    void makesTaskManagersAnewThatSomebodyDeleted() {
        create();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));

        client.resource(taskManagers().orElseThrow()).delete();

        soon(() -> assertThat(taskManagers()).isPresent());
    }

    @Test
    void removesTaskManagersThatDoNotBelongToTheirJobManagerBeforeIt() {
        create();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));
        client.resource(taskManagers().orElseThrow())
                .edit(
                        found -> {
                            found.getMetadata().setOwnerReferences(List.of());
                            return found;
                        });

        edit(
                spec -> {
                    spec.put("image", "flink:1.20-new");
                    return spec;
                });

        soon(() -> assertThat(taskManagers()).isEmpty());
    }

    /** As another operator makes them: they belong to the resource, which waits for their pods. */
    @Test
    void removesTaskManagersThatWereLeftWithoutAJobManagerAndGoesOn() {
        loseTheJobManager();

        soon(() -> assertThat(kubelet.isLeaving(NAME + "-taskmanager")).isTrue());
        finishRemoval();

        soon(() -> assertThat(kubelet.deployment(NAME)).isPresent());
        soon(
                () ->
                        assertThat(taskManagers().orElseThrow().getMetadata().getOwnerReferences())
                                .extracting(OwnerReference::getKind)
                                .containsExactly("Deployment"));
    }

    @Test
    void deletesAResourceWhoseTaskManagersWereLeftWithoutAJobManager() {
        loseTheJobManager();

        client.resource(resource()).delete();

        soon(() -> assertThat(kubelet.isLeaving(NAME + "-taskmanager")).isTrue());
        assertThat(resource().getStatus().toString()).doesNotContain("its Deployment is gone");
        finishRemoval();
        soon(
                () ->
                        assertThat(
                                        client.resources(FlinkDeployment.class)
                                                .inNamespace(namespace)
                                                .withName(NAME)
                                                .get())
                                .isNull());
    }

    @Test
    void makesAndScalesTheTaskManagersOfAJobManagerThatAnotherOperatorMade() {
        create();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));
        client.resource(kubelet.deployment(NAME).orElseThrow())
                .edit(
                        found -> {
                            found.getMetadata()
                                    .getAnnotations()
                                    .remove(ManifestRenderer.ATTEMPT_ANNOTATION);
                            return found;
                        });

        client.resource(taskManagers().orElseThrow()).delete();

        soon(() -> assertThat(taskManagers()).isPresent());
        belongsToTheResource();
        edit(
                spec -> {
                    spec.withObject("/taskManager").put("replicas", 3);
                    return spec;
                });
        soon(() -> assertThat(taskManagers().orElseThrow().getSpec().getReplicas()).isEqualTo(3));
    }

    @Test
    void leavesADeploymentOfTheTaskManagersNameAloneThatIsSomebodyElses() {
        Deployment theirs =
                client.resource(
                                new DeploymentBuilder()
                                        .withNewMetadata()
                                        .withName(NAME + "-taskmanager")
                                        .withNamespace(namespace)
                                        .endMetadata()
                                        .withNewSpec()
                                        .withReplicas(7)
                                        .withNewSelector()
                                        .addToMatchLabels("app", "theirs")
                                        .endSelector()
                                        .withNewTemplate()
                                        .withNewMetadata()
                                        .addToLabels("app", "theirs")
                                        .endMetadata()
                                        .withSpec(pod("theirs").getSpec())
                                        .endTemplate()
                                        .endSpec()
                                        .build())
                        .create();

        create();

        soon(
                () ->
                        assertThat(resource().getStatus().toString())
                                .contains("ManifestsRefused", "is not this cluster's"));
        assertThat(taskManagers().orElseThrow().getMetadata().getGeneration())
                .isEqualTo(theirs.getMetadata().getGeneration());
        assertThat(kubelet.deployment(NAME)).isEmpty();
        client.resource(theirs).delete();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));
    }

    @Test
    void doesNotScaleTaskManagersThatSomebodyElseOwns() {
        create();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));
        belongsTo("00000000-0000-0000-0000-000000000001");

        edit(
                spec -> {
                    spec.withObject("/taskManager").put("replicas", 3);
                    return spec;
                });

        soon(
                () ->
                        assertThat(resource().getStatus().toString())
                                .contains("ManifestsRefused", "is not this cluster's"));
        assertThat(taskManagers().orElseThrow().getSpec().getReplicas()).isEqualTo(1);
    }

    @Test
    void tellsThatSomebodyScaledTheJobManagerToNone() {
        create(Specs.application("flink:1.20", "stateless").put("mode", "standalone"));
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));

        client.apps().deployments().inNamespace(namespace).withName(NAME).scale(0);
        client.resource(
                        new DeploymentBuilder(kubelet.deployment(NAME).orElseThrow())
                                .editStatus()
                                .withReplicas(0)
                                .withReadyReplicas(0)
                                .withAvailableReplicas(0)
                                .endStatus()
                                .build())
                .updateStatus();

        soon(
                () ->
                        assertThat(resource().getStatus().toString())
                                .contains("ScaledToZero", "kubectl scale deployment " + NAME));
        assertThat(ready()).isEqualTo("False");
    }

    /** Its TaskManagers, with a pod, belong to the resource; somebody deletes the JobManager's. */
    private void loseTheJobManager() {
        create();
        runJob();
        soon(() -> assertThat(ready()).isEqualTo("True"));
        belongsToTheResource();
        client.resource(pod(NAME + "-taskmanager-1")).create();
        client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(NAME)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        assertThat(kubelet.deployment(NAME)).isEmpty();
    }

    private void belongsToTheResource() {
        belongsTo(resource().getMetadata().getUid());
    }

    private void belongsTo(String uid) {
        OwnerReference owner =
                new OwnerReferenceBuilder()
                        .withApiVersion(ApiVersion.TEXT)
                        .withKind("FlinkDeployment")
                        .withName(NAME)
                        .withUid(uid)
                        .build();
        client.resource(taskManagers().orElseThrow())
                .edit(
                        found -> {
                            found.getMetadata().setOwnerReferences(List.of(owner));
                            return found;
                        });
    }

    private Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .addToLabels("app", NAME)
                .addToLabels("component", "taskmanager")
                .addToLabels("type", "flink-standalone-kubernetes")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("flink")
                .endContainer()
                .endSpec()
                .build();
    }

    private void finishRemoval() {
        client.resource(pod(NAME + "-taskmanager-1")).withGracePeriod(0).delete();
        kubelet.finishDeletion(NAME + "-taskmanager");
    }

    @Test
    void makesASessionClusterReadyAndScalesIt() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        spec.remove("job");
        create(spec);
        soon(() -> assertThat(taskManagers()).isPresent());
        operator.jobManagers().start(RunningOperator.address(resource()));
        kubelet.makeAvailable(NAME);
        soon(() -> assertThat(ready()).isEqualTo("True"));

        edit(
                changed -> {
                    changed.withObject("/taskManager").put("replicas", 2);
                    return changed;
                });

        soon(() -> assertThat(taskManagers().orElseThrow().getSpec().getReplicas()).isEqualTo(2));
        soon(() -> assertThat(ready()).isEqualTo("True"));
    }

    @Test
    void tellsWhyTaskManagersAreRefusedWhileTheJobManagerRuns() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        spec.remove("job");
        create(spec);
        soon(() -> assertThat(taskManagers()).isPresent());
        operator.jobManagers().start(RunningOperator.address(resource()));
        kubelet.makeAvailable(NAME);
        soon(() -> assertThat(ready()).isEqualTo("True"));

        client.resource(
                        new DeploymentBuilder(taskManagers().orElseThrow())
                                .withNewStatus()
                                .addNewCondition()
                                .withType("ReplicaFailure")
                                .withStatus("True")
                                .withReason("FailedCreate")
                                .withMessage("exceeded quota: team")
                                .endCondition()
                                .endStatus()
                                .build())
                .updateStatus();

        soon(() -> assertThat(ready()).isEqualTo("False"));
        assertThat(resource().getStatus().toString())
                .contains("FailedCreate: TaskManagers: exceeded quota: team");
    }

    private void create() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        spec.withObject("/flinkConfiguration").put("scheduler-mode", "reactive");
        create(spec);
    }

    private void create(ObjectNode spec) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(NAME);
        resource.getMetadata().setNamespace(namespace);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void runJob() {
        soon(() -> assertThat(kubelet.deployment(NAME)).isPresent());
        String job =
                kubelet.deployment(NAME)
                        .orElseThrow()
                        .getMetadata()
                        .getAnnotations()
                        .get(ManifestRenderer.ATTEMPT_ANNOTATION);
        operator.jobManagers()
                .start(RunningOperator.address(resource()))
                .run(job, NAME, new JobVertex("01", "work", 1, 4, "RUNNING"));
        kubelet.makeAvailable(NAME);
    }

    private Optional<Deployment> taskManagers() {
        return kubelet.deployment(NAME + "-taskmanager");
    }

    private void edit(UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkDeployment.class, NAME, change);
    }

    private FlinkDeployment resource() {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(NAME).get();
    }

    private String ready() {
        return resource()
                .getStatus()
                .path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst()
                .map(condition -> condition.path("status").asText())
                .orElse("");
    }
}
