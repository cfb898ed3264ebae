// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobVertex;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.manifest.ManifestRenderer;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The chart's admission policies and roles, as rendered for {@code tenancy: shared}, on a real API
 * server: the operator lives an ordinary life under them, and nobody can do more with its account.
 */
class AdmissionPoliciesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final Path RENDERED = Path.of("../helm/golden/shared.rendered.yaml");
    private static final Set<String> INSTALLED =
            Set.of(
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "ClusterRole",
                    "ClusterRoleBinding");
    private static final String OPERATOR = "system:serviceaccount:sluice-system:sluice-operator";
    private static final JobVertex VERTEX = new JobVertex("01", "work", 1, 4, "RUNNING");

    private static List<HasMetadata> installed = List.of();

    private KubernetesClient client;
    private KubernetesClient asOperator;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;

    @BeforeAll
    static void install() throws IOException {
        installed =
                API.client().load(Files.newInputStream(RENDERED)).items().stream()
                        .filter(each -> INSTALLED.contains(each.getKind()))
                        .toList();
        assertThat(installed).extracting(HasMetadata::getKind).containsAll(INSTALLED);
        installed.forEach(each -> API.client().resource(each).create());
        try (KubernetesClient operator = as(OPERATOR)) {
            // Policies take effect a moment after they are made.
            soon(
                    () ->
                            assertRefused(
                                    () ->
                                            operator.resource(configMap("default", "probe"))
                                                    .dryRun()
                                                    .create()));
        }
    }

    @AfterAll
    static void uninstall() {
        installed.forEach(each -> API.client().resource(each).delete());
    }

    @BeforeEach
    void start() {
        client = API.client();
        asOperator = as(OPERATOR);
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(asOperator, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
        asOperator.close();
    }

    @Test
    void aNativeJobIsRunUpgradedAndDeletedUnderThem() {
        create(new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));
        runJob("orders");
        soon(() -> assertThat(ready(FlinkDeployment.class, "orders")).isEqualTo("True"));
        String former = attempt("orders");

        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        "orders",
                        spec -> {
                            spec.put("image", "flink:1.20-new");
                            return spec;
                        });
        soon(
                () -> {
                    kubelet.finishDeletion("orders");
                    assertThat(kubelet.deployment("orders")).isPresent();
                    assertThat(attempt("orders")).isNotEqualTo(former);
                });
        delete(FlinkDeployment.class, "orders");

        soon(() -> assertThat(gone("orders")).isTrue());
    }

    @Test
    void aStandaloneJobIsScaledAndDeletedUnderThem() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        spec.withObject("/flinkConfiguration").put("scheduler-mode", "reactive");
        create(new FlinkDeployment(), "orders", spec);
        runJob("orders");
        soon(() -> assertThat(ready(FlinkDeployment.class, "orders")).isEqualTo("True"));

        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        "orders",
                        edited -> {
                            edited.withObject("/taskManager").put("replicas", 3);
                            return edited;
                        });
        soon(() -> assertThat(taskManagers().getSpec().getReplicas()).isEqualTo(3));
        delete(FlinkDeployment.class, "orders");

        soon(
                () -> {
                    kubelet.finishDeletion("orders-taskmanager");
                    assertThat(gone("orders")).isTrue();
                });
    }

    @Test
    void aSessionClusterAndItsJobAreRunAndDeletedUnderThem() {
        create(new FlinkDeployment(), "session", SessionSnapshots.sessionCluster());
        operator.jobManagers().start(RunningOperator.address(namespace, "session"));
        soon(() -> assertThat(kubelet.deployment("session")).isPresent());
        kubelet.makeAvailable("session");
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(ready(FlinkSessionJob.class, "report")).isEqualTo("True"));

        delete(FlinkSessionJob.class, "report");
        delete(FlinkDeployment.class, "session");

        soon(() -> assertThat(gone("session")).isTrue());
    }

    @Test
    void theOperatorsAccountMakesNoDeploymentThatIsNobodys() {
        assertRefused(() -> asOperator.resource(deployment("stray").build()).create());
    }

    @Test
    void theOperatorsAccountMakesNoPrivilegedDeploymentEither() {
        create(new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        Deployment copy = kubelet.deployment("orders").orElseThrow();
        copy.getMetadata().setName("orders-taskmanager");
        copy.getMetadata().setResourceVersion(null);
        copy.getMetadata().setUid(null);
        assertThatCode(() -> asOperator.resource(copy).dryRun().create())
                .doesNotThrowAnyException();
        var pod = copy.getSpec().getTemplate().getSpec();

        pod.setHostNetwork(true);
        assertRefused(() -> asOperator.resource(copy).dryRun().create());
        pod.setHostNetwork(null);
        var security = pod.getContainers().getFirst().getSecurityContext();
        security.setAllowPrivilegeEscalation(null);
        security.setPrivileged(true);
        assertRefused(() -> asOperator.resource(copy).dryRun().create());
        security.setPrivileged(null);
        pod.setServiceAccountName("deployer");
        assertRefused(() -> asOperator.resource(copy).dryRun().create());
    }

    @Test
    void theOperatorsAccountWritesNothingInTheClustersOwnNamespaces() {
        for (String system : List.of("kube-system", "kube-public")) {
            assertRefused(() -> asOperator.resource(configMap(system, "flink-config-x")).create());
        }
    }

    @Test
    void theOperatorsAccountChangesNothingThatIsNotFlinks() {
        ConfigMap theirs =
                client.resource(
                                new ConfigMapBuilder(configMap(namespace, "theirs"))
                                        .editMetadata()
                                        .withLabels(Map.of())
                                        .endMetadata()
                                        .build())
                        .create();
        var service =
                client.resource(
                                new ServiceBuilder()
                                        .withNewMetadata()
                                        .withName("x-rest")
                                        .withNamespace(namespace)
                                        .endMetadata()
                                        .withNewSpec()
                                        .addNewPort()
                                        .withPort(80)
                                        .endPort()
                                        .endSpec()
                                        .build())
                        .create();

        assertRefused(() -> asOperator.resource(theirs).delete());
        var claimed =
                new ServiceBuilder()
                        .withNewMetadata()
                        .withName("x-rest")
                        .withNamespace(namespace)
                        .withLabels(Map.of("app", "x", "type", "flink-native-kubernetes"))
                        .endMetadata()
                        .build();
        assertRefused(
                () ->
                        asOperator
                                .resource(claimed)
                                .patch(PatchContext.of(PatchType.SERVER_SIDE_APPLY)));
        assertThat(client.resource(service).get().getMetadata().getResourceVersion())
                .isEqualTo(service.getMetadata().getResourceVersion());
    }

    @Test
    void theOperatorsAccountMakesNobodysDeploymentOrIngressItsOwn() {
        client.resource(deployment("web").editMetadata().withLabels(Map.of()).endMetadata().build())
                .create();
        client.resource(ingress(false)).create();

        assertRefused(
                () ->
                        asOperator
                                .resource(deployment("web").build())
                                .patch(
                                        PatchContext.of(PatchType.JSON_MERGE),
                                        """
                                        {"metadata": {"labels": {"app": "web", "type": "flink-native-kubernetes"},
                                          "ownerReferences": [{"apiVersion": "flink.apache.org/v1beta1",
                                            "kind": "FlinkDeployment", "name": "web", "uid": "1"}]}}
                                        """));
        assertRefused(
                () ->
                        asOperator
                                .resource(ingress(true))
                                .patch(PatchContext.of(PatchType.SERVER_SIDE_APPLY)));
    }

    private Ingress ingress(boolean isOwned) {
        var ingress =
                new IngressBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addNewRule()
                        .withHost("web.example.org")
                        .endRule()
                        .endSpec()
                        .build();
        if (isOwned) {
            ingress.getMetadata()
                    .setOwnerReferences(
                            List.of(
                                    new OwnerReferenceBuilder()
                                            .withApiVersion("flink.apache.org/v1beta1")
                                            .withKind("FlinkDeployment")
                                            .withName("web")
                                            .withUid("1")
                                            .build()));
        }
        return ingress;
    }

    @Test
    void theOperatorsAccountEditsNobodysSpec() {
        create(new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));

        assertRefused(
                () ->
                        asOperator
                                .resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName("orders")
                                .patch(
                                        PatchContext.of(PatchType.JSON_MERGE),
                                        "{\"spec\":{\"image\":\"evil\"}}"));
    }

    @Test
    void theAutoscalersAccountWritesItsOwnConfigMapsAlone() {
        try (var autoscaler = as("system:serviceaccount:sluice-system:sluice-autoscaler")) {
            assertRefused(() -> autoscaler.resource(configMap(namespace, "other")).create());
            ConfigMap own =
                    new ConfigMapBuilder(configMap(namespace, "autoscaler-orders"))
                            .editMetadata()
                            .addToLabels("component", "autoscaler")
                            .addNewOwnerReference()
                            .withApiVersion("flink.apache.org/v1beta1")
                            .withKind("FlinkDeployment")
                            .withName("orders")
                            .withUid("1")
                            .endOwnerReference()
                            .endMetadata()
                            .build();
            assertThatCode(() -> autoscaler.resource(own).create()).doesNotThrowAnyException();
            assertThatCode(() -> autoscaler.resource(own).delete()).doesNotThrowAnyException();
        }
    }

    @Test
    void theWebhooksAccountMakesNoSecretButItsOwn() {
        // Its role is of the release's namespace; here it gets the right everywhere.
        allow("sluice-webhook", "secrets", "create");
        try (var webhook = as("system:serviceaccount:sluice-system:sluice-webhook")) {
            assertRefused(
                    () ->
                            webhook.resource(
                                            new SecretBuilder()
                                                    .withNewMetadata()
                                                    .withName("sluice-webhook-tls")
                                                    .withNamespace(namespace)
                                                    .endMetadata()
                                                    .build())
                                    .create());
        }
    }

    @Test
    void aJobsAccountMakesTaskManagersOfItsClusterAlone() {
        allow("flink", "pods", "create");
        allow("flink", "configmaps", "create");
        try (var job = as("system:serviceaccount:" + namespace + ":flink")) {
            Pod taskManager = taskManager();
            assertThatCode(() -> job.resource(taskManager).dryRun().create())
                    .doesNotThrowAnyException();

            assertRefused(
                    () ->
                            job.resource(
                                            new PodBuilder(taskManager)
                                                    .editMetadata()
                                                    .withOwnerReferences()
                                                    .endMetadata()
                                                    .build())
                                    .dryRun()
                                    .create());
            assertRefused(
                    () ->
                            job.resource(
                                            new PodBuilder(taskManager)
                                                    .editSpec()
                                                    .withServiceAccountName("deployer")
                                                    .endSpec()
                                                    .build())
                                    .dryRun()
                                    .create());
            assertRefused(
                    () ->
                            job.resource(
                                            new PodBuilder(taskManager)
                                                    .editSpec()
                                                    .addNewVolume()
                                                    .withName("h")
                                                    .withNewHostPath("/", "")
                                                    .endVolume()
                                                    .endSpec()
                                                    .build())
                                    .dryRun()
                                    .create());
            assertThatCode(
                            () ->
                                    job.resource(configMap(namespace, "orders-cluster-config-map"))
                                            .dryRun()
                                            .create())
                    .doesNotThrowAnyException();
            assertRefused(() -> job.resource(configMap(namespace, "settings")).dryRun().create());
        }
    }

    private Pod taskManager() {
        client.resource(
                        new ServiceAccountBuilder()
                                .withNewMetadata()
                                .withName("flink")
                                .withNamespace(namespace)
                                .endMetadata()
                                .build())
                .create();
        client.resource(
                        new ServiceAccountBuilder()
                                .withNewMetadata()
                                .withName("deployer")
                                .withNamespace(namespace)
                                .endMetadata()
                                .build())
                .create();
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-taskmanager-1-1")
                .withNamespace(namespace)
                .withLabels(
                        Map.of(
                                "app", "orders",
                                "component", "taskmanager",
                                "type", "flink-native-kubernetes"))
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("Deployment")
                .withName("orders")
                .withUid("1")
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName("flink")
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("flink:1.20")
                .endContainer()
                .endSpec()
                .build();
    }

    private void allow(String account, String resource, String verb) {
        String name = namespace + "-" + account + "-" + resource;
        client.resource(
                        new RoleBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .endMetadata()
                                .addNewRule()
                                .withApiGroups("")
                                .withResources(resource)
                                .withVerbs(verb)
                                .endRule()
                                .build())
                .create();
        client.resource(
                        new RoleBindingBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                                .addNewSubject()
                                .withKind("ServiceAccount")
                                .withName(account)
                                .withNamespace(
                                        account.equals("flink") ? namespace : "sluice-system")
                                .endSubject()
                                .build())
                .create();
    }

    private DeploymentBuilder deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(Map.of("app", name))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(Map.of("app", name))
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName("flink")
                .addNewContainer()
                .withName("a")
                .withImage("b")
                .withNewSecurityContext()
                .withPrivileged(true)
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec();
    }

    /** As one of Flink's: labelled so, for a cluster called orders. */
    private static ConfigMap configMap(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(Map.of("app", "orders", "type", "flink-native-kubernetes"))
                .endMetadata()
                .build();
    }

    private static KubernetesClient as(String account) {
        Config config = Config.fromKubeconfig(API.kubeconfig());
        config.setImpersonateUsername(account);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void assertRefused(ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("ValidatingAdmissionPolicy 'sluice-");
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> void create(
            R resource, String name, ObjectNode spec) {
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void delete(Class<? extends HasMetadata> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    private boolean gone(String name) {
        kubelet.finishDeletion(name);
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get()
                == null;
    }

    private void runJob(String name) {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        operator.jobManagers()
                .start(RunningOperator.address(namespace, name))
                .run(attempt(name), name, VERTEX);
        kubelet.makeAvailable(name);
    }

    private String attempt(String name) {
        return kubelet.deployment(name)
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    private Deployment taskManagers() {
        return kubelet.deployment("orders-taskmanager").orElseThrow();
    }

    private String ready(
            Class<? extends CustomResource<ObjectNode, ObjectNode>> kind, String name) {
        return Optional.ofNullable(
                        client.resources(kind)
                                .inNamespace(namespace)
                                .withName(name)
                                .get()
                                .getStatus())
                .stream()
                .flatMap(status -> status.path("conditions").valueStream())
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst()
                .map(condition -> condition.path("status").asText())
                .orElse("");
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(60)).untilAsserted(assertion);
    }
}
