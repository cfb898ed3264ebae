// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.admission;

import static io.sluice.operator.system.admission.InstalledPolicies.OPERATOR;
import static io.sluice.operator.system.admission.InstalledPolicies.assertRefused;
import static io.sluice.operator.system.admission.InstalledPolicies.configMap;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
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
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Nobody can do more with the accounts of the chart, or of a job, than they are there for: the
 * chart's admission policies keep them from it.
 */
class AccountsUnderPoliciesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static InstalledPolicies policies;

    private KubernetesClient client;
    private KubernetesClient asOperator;
    private Kubectl kubectl;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;

    @BeforeAll
    static void install() throws IOException {
        policies = InstalledPolicies.on(API);
        policies.awaitEffect();
    }

    @AfterAll
    static void uninstall() {
        policies.close();
    }

    @BeforeEach
    void start() {
        client = API.client();
        asOperator = policies.as(OPERATOR);
        namespace = API.newNamespace();
        kubectl = new Kubectl(client, namespace);
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(asOperator, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
        asOperator.close();
    }

    @Test
    void theOperatorsAccountMakesNoDeploymentThatIsNobodys() {
        assertRefused(() -> asOperator.resource(deployment("stray").build()).create());
    }

    @Test
    void theOperatorsAccountMakesNoPrivilegedDeploymentEither() {
        kubectl.create(
                new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));
        await().atMost(ofSeconds(60)).until(() -> kubelet.deployment("orders").isPresent());
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

    @Test
    void theOperatorsAccountMakesSnapshotsOfJobsOnly() {
        var snapshot = new FlinkStateSnapshot();
        snapshot.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName("orders-savepoint-manual-1")
                        .addToLabels(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, "MANUAL")
                        .build());
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("savepoint");
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", "orders");
        snapshot.setSpec(spec);
        assertThatCode(() -> asOperator.resource(snapshot).dryRun().create())
                .doesNotThrowAnyException();

        snapshot.getMetadata().setLabels(Map.of());
        assertRefused(() -> asOperator.resource(snapshot).dryRun().create());
    }

    @Test
    void theOperatorsAccountEditsNobodysSpec() {
        kubectl.create(
                new FlinkDeployment(), "orders", Specs.application("flink:1.20", "stateless"));

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
        try (var autoscaler =
                policies.as("system:serviceaccount:sluice-system:sluice-autoscaler")) {
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
        try (var webhook = policies.as("system:serviceaccount:sluice-system:sluice-webhook")) {
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
        try (var job = policies.as("system:serviceaccount:" + namespace + ":flink")) {
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
        String home = account.equals("flink") ? namespace : "sluice-system";
        PolicyRule rule =
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources(resource)
                        .withVerbs(verb)
                        .build();
        client.resource(
                        new RoleBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withRules(rule)
                                .build())
                .create();
        client.resource(
                        new RoleBindingBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                                .addNewSubject("", "ServiceAccount", account, home)
                                .build())
                .create();
        EffectiveAccess.ofAccount(client, home, account).await(namespace, rule);
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
}
