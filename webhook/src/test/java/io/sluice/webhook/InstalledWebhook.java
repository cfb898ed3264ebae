// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.testkit.ApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the chart installs for the webhook, in a namespace of its own: its role, its two
 * configurations (by URL, as nothing routes Services here) and replicas that act under that role.
 */
public final class InstalledWebhook {
    /** Where the chart keeps the rules of its roles, which are granted here word for word. */
    private static final Path ROLES = Path.of("../helm/sluice/roles");

    /** How the chart names what is not in a namespace. */
    private static final Pattern WIDE =
            Pattern.compile(
                    "\\{\\{ include \"sluice\\.wide\" \\(dict \"root\" \\$ \"name\" \"(\\w+)\"\\) }}");

    /** Where the chart says what the API server asks about. */
    private static final Path CONDITIONS = Path.of("../helm/sluice/conditions");

    private static final String ROLE =
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: sluice-webhook, namespace: NAMESPACE}
            rules:
            SECRET
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: sluice-webhook, namespace: NAMESPACE}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: sluice-webhook}
            subjects: [{kind: ServiceAccount, name: sluice-webhook, namespace: NAMESPACE}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: sluice-webhook-NAMESPACE}
            rules:
            CONFIGURATIONS
            RESOURCES
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: sluice-webhook-NAMESPACE}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sluice-webhook-NAMESPACE}
            subjects: [{kind: ServiceAccount, name: sluice-webhook, namespace: NAMESPACE}]
            """;

    private static final String CONFIGURATION =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: KIND
            metadata: {name: NAMESPACE-NAME}
            webhooks:
              - name: NAME.flink.sluice.io
                admissionReviewVersions: [v1]
                sideEffects: None
                failurePolicy: Fail
                timeoutSeconds: 5
                clientConfig: {url: "https://127.0.0.1:PORT/PATH"}
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
                matchConditions:
            CONDITIONS
                rules:
                  - apiGroups: [flink.apache.org]
                    apiVersions: [v1beta1]
                    resources: [flinkdeployments]
                    operations: [CREATE, UPDATE]
            """;

    /** What the validating one asks about beside that. */
    private static final String OF_SCALE =
            """
                  - apiGroups: [flink.apache.org]
                    apiVersions: ["*"]
                    resources: [flinkdeployments/scale]
                    operations: [UPDATE]
            """;

    private final ApiServer api;
    private final String namespace;
    private final List<AutoCloseable> started = new ArrayList<>();

    public InstalledWebhook(ApiServer api) {
        this.api = api;
        this.namespace = api.newNamespace();
    }

    public String namespace() {
        return namespace;
    }

    public void grantRole() throws IOException {
        apply(
                ROLE.replace("SECRET", rules("webhook-secret.yaml"))
                        .replace("CONFIGURATIONS", rules("webhook-configurations.yaml"))
                        .replace("RESOURCES", rules("webhook-resources.yaml")));
    }

    /**
     * The rights of {@link #grantRole} hold in its own namespace alone, until they are granted
     * anew.
     */
    public void restrictToItsNamespace() {
        String role = "sluice-webhook-" + namespace;
        api.client().rbac().clusterRoleBindings().withName(role).delete();
        apply(
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: sluice-webhook-served, namespace: NAMESPACE}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sluice-webhook-NAMESPACE}
                subjects: [{kind: ServiceAccount, name: sluice-webhook, namespace: NAMESPACE}]
                """);
    }

    private String rules(String file) throws IOException {
        return WIDE.matcher(Files.readString(ROLES.resolve(file)))
                .replaceAll(word -> configuration(word.group(1)))
                .replace("{{ .Release.Name }}", namespace);
    }

    String secret() {
        return namespace + "-webhook-tls";
    }

    String configuration(String word) {
        return namespace + "-" + word;
    }

    /** Both configurations, without a CA bundle, as the chart renders them. */
    void register(int httpsPort) throws IOException {
        for (var each :
                List.of(
                        Map.of(
                                "KIND",
                                "ValidatingWebhookConfiguration",
                                "NAME",
                                "validating",
                                "PATH",
                                "validate"),
                        Map.of(
                                "KIND",
                                "MutatingWebhookConfiguration",
                                "NAME",
                                "mutating",
                                "PATH",
                                "mutate"))) {
            String text = CONFIGURATION.replace("PORT", "" + httpsPort);
            // Longer words first: NAME is a part of NAMESPACE.
            text = text.replace("NAMESPACE", namespace);
            for (var entry : each.entrySet()) {
                text = text.replace(entry.getKey(), entry.getValue());
            }
            String conditions = Files.readString(CONDITIONS.resolve(each.get("NAME") + ".yaml"));
            String more = each.get("NAME").equals("validating") ? OF_SCALE : "";
            apply(text.replace("CONDITIONS", conditions.indent(4)) + more);
        }
    }

    Webhook startReplica() throws IOException {
        var webhook =
                Webhook.start(
                        Settings.of(environment()), this::clientOfTheRole, InstantSource.system());
        started.add(webhook);
        return webhook;
    }

    /** With all it needs; returns once it answers and the API server asks it. */
    Webhook startReady() throws IOException {
        grantRole();
        var webhook = startReplica();
        register(webhook.httpsPort());
        awaitReady(webhook);
        return webhook;
    }

    void awaitReady(Webhook webhook) {
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> isReady(webhook));
    }

    private static boolean isReady(Webhook webhook) throws IOException {
        var uri = URI.create("http://localhost:" + webhook.httpPort() + "/readyz");
        return ((HttpURLConnection) uri.toURL().openConnection()).getResponseCode()
                == HttpURLConnection.HTTP_OK;
    }

    /** What the process finds in its environment; it takes free ports. */
    Map<String, String> environment() {
        return Map.of(
                "SLUICE_LEAVING_SECONDS",
                "1",
                "SLUICE_NAMESPACE",
                namespace,
                "SLUICE_WEBHOOK_EXTRA_NAMES",
                "127.0.0.1",
                "SLUICE_WEBHOOK_SECRET",
                secret(),
                "SLUICE_VALIDATING_CONFIGURATION",
                configuration("validating"),
                "SLUICE_MUTATING_CONFIGURATION",
                configuration("mutating"),
                "SLUICE_HTTPS_PORT",
                "0",
                "SLUICE_HTTP_PORT",
                "0");
    }

    /** A client with the rights of the webhook's service account, and no more. */
    public KubernetesClient clientOfTheRole() {
        String account = "system:serviceaccount:" + namespace + ":sluice-webhook";
        return ApiClient.open(
                new ConfigBuilder(Config.fromKubeconfig(api.kubeconfig()))
                        .withImpersonateUsername(account)
                        .withImpersonateGroups("system:serviceaccounts", "system:authenticated")
                        .withRequestRetryBackoffLimit(0)
                        .build());
    }

    public ObjectNode deployment(String yaml) {
        ObjectNode resource = Reviews.yaml(yaml);
        resource.withObjectProperty("metadata").put("namespace", namespace);
        return resource;
    }

    GenericKubernetesResource create(String yaml) {
        return api.client()
                .resource(
                        api.client()
                                .getKubernetesSerialization()
                                .unmarshal(
                                        deployment(yaml).toString(),
                                        GenericKubernetesResource.class))
                .create();
    }

    /** What the API server trusts, in base64. */
    String caBundle() {
        return api.client()
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(configuration("validating"))
                .get()
                .getWebhooks()
                .getFirst()
                .getClientConfig()
                .getCaBundle();
    }

    X509Certificate authority() throws CertificateException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Base64.getDecoder().decode(caBundle())));
    }

    public void remove() throws Exception {
        for (AutoCloseable each : started.reversed()) {
            each.close();
        }
        api.client()
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(configuration("validating"))
                .delete();
        api.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(configuration("mutating"))
                .delete();
    }

    private void apply(String yaml) {
        String text = yaml.replace("NAMESPACE", namespace);
        api.client()
                .load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .forceConflicts()
                .serverSideApply();
    }
}
