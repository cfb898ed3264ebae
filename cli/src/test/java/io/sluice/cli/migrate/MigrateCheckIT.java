// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.cli.Orders;
import io.sluice.cli.document.Documents;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import io.sluice.testkit.ServiceAccountLogin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command against a real API server with what the Apache operator leaves. */
class MigrateCheckIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String DEPLOYMENT =
            Orders.withMetadata(
                    "{name: orders, finalizers: [flinkdeployments.flink.apache.org/finalizer]}");

    private static final String SESSION_JOB =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkSessionJob
            metadata: {name: clicks}
            spec:
              deploymentName: session
              job: {jarURI: "s3://bucket/job.jar", parallelism: 1, upgradeMode: stateless}
            """;

    private static final String SNAPSHOT =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkStateSnapshot
            metadata:
              name: nightly
              finalizers: [flinkstatesnapshots.flink.apache.org/finalizer]
            spec:
              savepoint: {}
              jobReference: {kind: FlinkDeployment, name: orders}
            """;

    private static final String PAIR =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkBlueGreenDeployment
            metadata: {name: pair}
            spec:
              template:
                spec:
                  image: flink:1.20
                  flinkVersion: v1_20
                  serviceAccount: flink
                  jobManager: {resource: {cpu: 1, memory: 1Gi}}
                  taskManager: {resource: {cpu: 1, memory: 1Gi}}
                  job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
            """;

    private static final String DEPLOYED =
            """
            {"observedGeneration":1,"reconciliationStatus":{"state":"DEPLOYED"}}
            """;

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String shop = "";
    private String home = "";

    @BeforeEach
    void makeNamespaces() {
        shop = API.newNamespace();
        home = API.newNamespace();
    }

    @Test
    void aClusterAtRestIsFine() throws IOException {
        deploy(DEPLOYMENT, DEPLOYED);
        deploy(SNAPSHOT, "{\"state\":\"COMPLETED\"}");

        assertThat(check("-n", shop, "--operator-namespace", home)).as(out + "" + err).isZero();
        assertThat(out.toString())
                .contains(
                        "FlinkDeployment " + shop + "/orders: taken over as it is\n",
                        "FlinkStateSnapshot " + shop + "/nightly: taken over as it is\n",
                        "2 resources: 2 taken over as they are",
                        "The Apache operator was not found",
                        "helm uninstall flink-kubernetes-operator");
    }

    @Test
    void aVerdictOnEachKindAndTheOperatorsOwnConfigurationAreTold() throws IOException {
        String uid = deploy(DEPLOYMENT, DEPLOYED.replace("DEPLOYED", "UPGRADING"));
        deploy(SESSION_JOB, DEPLOYED);
        deploy(SNAPSHOT, "{\"state\":\"COMPLETED\"}");
        deploy(PAIR, "{}");
        String lost = deploy(DEPLOYMENT.replace("orders", "lost"), "{}");
        cluster("lost", lost);
        cluster("orders", uid);
        operator();

        assertThat(check("-o", "json", "-n", shop, "--operator-namespace", home)).isEqualTo(1);

        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(words(json.path("resources")))
                .containsExactly(
                        "pair taken-over ",
                        "lost blocked status-lost",
                        "orders taken-over ",
                        "clicks blocked jar-uri-scheme-allowed",
                        "nightly taken-over ");
        assertThat(json.at("/resources/2/notes/0/id").asText()).isEqualTo("upgrade-under-way");
        JsonNode operator = json.at("/operators/0");
        assertThat(operator.path("name").asText()).isEqualTo("theirs");
        assertThat(operator.path("notes").toString())
                .contains(
                        "exception.stacktrace.enabled", "/opt/flink/plugins/audit", "mirror/op:1");
        assertThat(json.path("missingRights")).isEmpty();
        assertThat(json.path("commands").toString()).contains("helm uninstall theirs -n " + home);
    }

    @Test
    void eachMissingRightIsNamedAndTheCheckGoesOn() throws IOException {
        deploy(DEPLOYMENT, DEPLOYED);
        Path kubeconfig = kubeconfigOfSomebodyWhoMayOnlyList("flinkdeployments");

        assertThat(run(kubeconfig, "-n", shop, "--operator-namespace", home)).isEqualTo(2);

        assertThat(out.toString())
                .contains(
                        "FlinkDeployment " + shop + "/orders: taken over as it is\n",
                        "  list flinksessionjobs.flink.apache.org in namespace " + shop + "\n",
                        "  list flinkstatesnapshots.flink.apache.org in namespace " + shop + "\n",
                        "  list flinkbluegreendeployments.flink.apache.org in namespace "
                                + shop
                                + "\n",
                        "  list deployments.apps in namespace " + shop + "\n",
                        "  list configmaps in namespace " + home + "\n",
                        "  list deployments.apps in namespace " + home + "\n")
                .doesNotContain("list flinkdeployments");
    }

    @Test
    void somebodyWhoMayNotListInAllNamespacesIsToldSo() throws IOException {
        Path kubeconfig = kubeconfigOfSomebodyWhoMayOnlyList("flinkdeployments");

        assertThat(run(kubeconfig)).isEqualTo(2);

        assertThat(out.toString())
                .contains(
                        "list flinkdeployments.flink.apache.org in all namespaces\n",
                        "list configmaps in all namespaces\n");
    }

    @Test
    void theWayBackIsCheckedWithTheReleaseAndTheConfigurationOfSluice() throws IOException {
        deploy(DEPLOYMENT, DEPLOYED);
        deploy(DEPLOYMENT.replace("orders", "clicks"), DEPLOYED.replace("DEPLOYED", "UPGRADING"));
        release();

        assertThat(back("--check", "-o", "json", "-n", shop, "--operator-namespace", home))
                .as(out + "" + err)
                .isEqualTo(1);

        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(words(json.path("resources")))
                .containsExactly("clicks blocked not-at-rest", "orders taken-over ");
        JsonNode sluice = json.at("/operators/0");
        assertThat(sluice.path("name").asText()).isEqualTo("ours");
        assertThat(sluice.at("/notes/0/path").asText()).isEqualTo("kubernetes.operator.log.level");
        assertThat(json.path("commands").toString())
                .contains("helm uninstall ours -n " + home + " --wait");
    }

    @Test
    void theWayBackIsOnlyChecked() throws IOException {
        assertThat(back()).isEqualTo(2);
        assertThat(err.toString()).contains("--check");
    }

    @Test
    void aServerThatDoesNotAnswerIsToldOnTheErrorOutput() throws IOException {
        ObjectNode kubeconfig = Serialization.unmarshal(API.kubeconfig(), ObjectNode.class);
        ((ObjectNode) kubeconfig.at("/clusters/0/cluster")).put("server", "https://127.0.0.1:1");
        Path file = Files.writeString(folder.resolve("silent"), kubeconfig.toString());

        assertThat(run(file)).isEqualTo(2);
        assertThat(err.toString()).contains("127.0.0.1:1", "does not answer", "ConnectException");
        assertThat(out.toString()).isEmpty();
    }

    private int check(String... options) throws IOException {
        return run(Files.writeString(folder.resolve("config"), API.kubeconfig()), options);
    }

    private int back(String... options) throws IOException {
        return run("back", Files.writeString(folder.resolve("config"), API.kubeconfig()), options);
    }

    private int run(Path kubeconfig, String... options) {
        return run("check", kubeconfig, options);
    }

    private int run(String command, Path kubeconfig, String... options) {
        return new CommandLine(new MigrateCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        Stream.concat(
                                        Stream.of(command, "--kubeconfig", kubeconfig.toString()),
                                        Stream.of(options))
                                .toArray(String[]::new));
    }

    /** Makes a resource with a status, and returns its uid. */
    private String deploy(String yaml, String status) throws IOException {
        ObjectNode resource =
                Documents.single("-", new ByteArrayInputStream(yaml.getBytes(UTF_8))).content();
        String path =
                "/apis/flink.apache.org/v1beta1/namespaces/%s/%ss"
                        .formatted(shop, resource.path("kind").asText("").toLowerCase(Locale.ROOT));
        var made =
                (ObjectNode)
                        new ObjectMapper()
                                .readTree(API.client().raw(path, "POST", resource.toString()));
        var stored = (ObjectNode) new ObjectMapper().readTree(status);
        if (stored.get("reconciliationStatus") instanceof ObjectNode reconciliation
                && made.get("spec") instanceof ObjectNode spec) {
            reconciliation.put("lastReconciledSpec", new ReconciledSpec(spec, false).encode());
        }
        made.set("status", stored);
        String name = made.at("/metadata/name").asText();
        API.client().raw(path + "/" + name + "/status", "PUT", made.toString());
        return made.at("/metadata/uid").asText();
    }

    /** The Deployment of a JobManager, as Flink makes it. */
    private void cluster(String name, String owner) {
        ObjectMeta metadata =
                new ObjectMetaBuilder(named(shop, name))
                        .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                        .addNewOwnerReference()
                        .withApiVersion("flink.apache.org/v1beta1")
                        .withKind("FlinkDeployment")
                        .withName(name)
                        .withUid(owner)
                        .endOwnerReference()
                        .build();
        API.client().resource(deployment(metadata, name, "flink:1.20", "/opt/flink/conf")).create();
    }

    /** What the chart leaves of the configuration and of the operator. */
    private void release() {
        API.client()
                .resource(
                        new ConfigMapBuilder()
                                .withMetadata(
                                        new ObjectMetaBuilder(named(home, "ours-configuration"))
                                                .withLabels(labels("configuration"))
                                                .build())
                                .addToData(
                                        "config.yaml",
                                        """
                                        kubernetes.operator.log.level: WARN
                                        kubernetes.operator.reconcile.interval: 30 s
                                        """)
                                .build())
                .create();
        ObjectMeta metadata =
                new ObjectMetaBuilder(named(home, "ours-operator"))
                        .withLabels(labels("operator"))
                        .withAnnotations(Map.of("meta.helm.sh/release-name", "ours"))
                        .build();
        API.client().resource(deployment(metadata, "ours", "sluice/operator:1", "/tmp")).create();
    }

    private static Map<String, String> labels(String component) {
        return Map.of("app.kubernetes.io/name", "sluice", "app.kubernetes.io/component", component);
    }

    private void operator() {
        API.client()
                .resource(
                        new ConfigMapBuilder()
                                .withMetadata(named(home, "flink-operator-config"))
                                .addToData(
                                        "config.yaml",
                                        "kubernetes.operator.exception.stacktrace.enabled: true\n")
                                .build())
                .create();
        ObjectMeta metadata =
                new ObjectMetaBuilder(named(home, "flink-kubernetes-operator"))
                        .withLabels(Map.of("app.kubernetes.io/name", "flink-kubernetes-operator"))
                        .withAnnotations(Map.of("meta.helm.sh/release-name", "theirs"))
                        .build();
        API.client()
                .resource(
                        deployment(metadata, "operator", "mirror/op:1", "/opt/flink/plugins/audit"))
                .create();
    }

    private static Deployment deployment(
            ObjectMeta metadata, String app, String image, String mount) {
        return new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", app)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", app)
                .endMetadata()
                .withNewSpec()
                .addNewVolume()
                .withName("volume")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .addNewVolumeMount()
                .withName("volume")
                .withMountPath(mount)
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private Path kubeconfigOfSomebodyWhoMayOnlyList(String plural) throws IOException {
        String group = "rbac.authorization.k8s.io";
        var client = API.client();
        PolicyRule rule =
                new PolicyRuleBuilder()
                        .withApiGroups("flink.apache.org")
                        .withResources(plural)
                        .withVerbs("list")
                        .build();
        client.resource(new ServiceAccountBuilder().withMetadata(named(shop, "guest")).build())
                .create();
        client.resource(
                        new RoleBuilder()
                                .withMetadata(named(shop, "guest"))
                                .withRules(rule)
                                .build())
                .create();
        client.resource(
                        new RoleBindingBuilder()
                                .withMetadata(named(shop, "guest"))
                                .withNewRoleRef(group, "Role", "guest")
                                .addNewSubject("", "ServiceAccount", "guest", shop)
                                .build())
                .create();
        EffectiveAccess.ofAccount(client, shop, "guest").await(shop, rule);
        String kubeconfig =
                new ServiceAccountLogin(client, shop, "guest")
                        .kubeconfig(API.kubeconfig(), Duration.ofHours(1));
        return Files.writeString(folder.resolve("guest"), kubeconfig);
    }

    private static Stream<String> words(JsonNode judgements) {
        return judgements
                .valueStream()
                .map(
                        each ->
                                each.path("name").asText()
                                        + " "
                                        + each.path("verdict").asText()
                                        + " "
                                        + each.at("/reasons/0/id").asText());
    }

    private static ObjectMeta named(String namespace, String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }
}
