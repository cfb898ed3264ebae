// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.cli.ClusterCommand;
import io.sluice.cli.Kubeconfigs;
import io.sluice.cli.Orders;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Waits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command against a real API server: what admission warns of, and which rights it needs. */
class SavepointCommandIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String WARNING_POLICY =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: warn-in-NAMESPACE}
            spec:
              matchConstraints:
                resourceRules:
                  - apiGroups: [flink.apache.org]
                    apiVersions: [v1beta1]
                    operations: [CREATE]
                    resources: [flinkstatesnapshots]
              validations: [{expression: "false", message: 'goes to "keep" …'}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: warn-in-NAMESPACE}
            spec:
              policyName: warn-in-NAMESPACE
              validationActions: [Warn]
              matchResources:
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
            """;

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String namespace = "";

    @BeforeEach
    void makeJobs() {
        namespace = API.newNamespace();
        for (String name : List.of("orders", "clicks")) {
            load(Orders.withMetadata("{name: " + name + ", namespace: " + namespace + "}"))
                    .forEach(each -> API.client().resource(each).create());
        }
    }

    @Test
    void aSavepointIsStoredAsItWasAskedFor() throws IOException {
        assertThat(
                        run(
                                administrator(),
                                "orders",
                                "--path",
                                "s3://b/keep",
                                "--format",
                                "native",
                                "--label",
                                "team=shop"))
                .as(err.toString())
                .isZero();

        String name = out.toString().strip().replace("flinksnp/", "");
        FlinkStateSnapshot stored =
                API.client()
                        .resources(FlinkStateSnapshot.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get();
        assertThat(stored.getSpec().path("savepoint").toString())
                .contains(
                        "\"path\":\"s3://b/keep\"",
                        "\"formatType\":\"NATIVE\"",
                        "\"disposeOnDelete\":false");
        assertThat(stored.getMetadata().getLabels()).containsEntry("team", "shop");
    }

    @Test
    void whatAdmissionWarnsOfIsShown() throws IOException {
        List<HasMetadata> policy = load(WARNING_POLICY.replace("NAMESPACE", namespace));
        policy.forEach(each -> API.client().resource(each).create());
        Path kubeconfig = administrator();
        try {
            // Policies take effect a moment after they are made.
            boolean isWarned =
                    Waits.reaches(
                            () -> {
                                run(kubeconfig, "clicks");
                                return err.toString().contains("Warning: ");
                            },
                            Duration.ofMinutes(1));
            assertThat(isWarned).isTrue();
            err.getBuffer().setLength(0);

            assertThat(run(kubeconfig, "orders")).as(err.toString()).isZero();

            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith("Warning: ")
                    .endsWith("goes to \"keep\" …");
        } finally {
            policy.forEach(each -> API.client().resource(each).delete());
        }
    }

    @Test
    void theRightThatIsMissingToCreateOneIsNamed() throws IOException {
        Path kubeconfig = guest(rule("flinkdeployments", "get"));

        assertThat(run(kubeconfig, "flinkdep/orders")).isEqualTo(2);

        assertThat(err.toString())
                .contains(
                        "no right to create flinkstatesnapshots.flink.apache.org in namespace '"
                                + namespace
                                + "'");
    }

    @Test
    void whoMayNotReadJobsNamesTheKind() throws IOException {
        Path kubeconfig = guest(rule("flinkstatesnapshots", "create"));

        assertThat(run(kubeconfig, "orders")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no right to get flinkdeployments.flink.apache.org", "flinkdep/orders");

        assertThat(run(kubeconfig, "flinkdep/orders")).as(err.toString()).isZero();
    }

    @Test
    void whoMayNotWatchIsToldThatItGoesOn() throws IOException {
        Path kubeconfig = guest(rule("flinkstatesnapshots", "create"));

        assertThat(run(kubeconfig, "flinkdep/orders", "--wait=1m")).isEqualTo(3);

        assertThat(out.toString()).startsWith("flinksnp/orders-savepoint-");
        assertThat(err.toString())
                .contains(
                        "goes on, but you have no right to list and watch"
                                + " flinkstatesnapshots.flink.apache.org in namespace '"
                                + namespace
                                + "'");
    }

    @Test
    void aJobThatDoesNotExistIsNotAsked() throws IOException {
        assertThat(run(administrator(), "ordres")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'ordres'", "there are: flinkdep/clicks, flinkdep/orders");
    }

    private int run(Path kubeconfig, String... arguments) {
        return new ClusterCommand(new SavepointCommand(), kubeconfig, namespace, out, err)
                .run(arguments);
    }

    private Path administrator() throws IOException {
        return new Kubeconfigs(API, folder).administrator();
    }

    /** The kubeconfig of somebody who has one right only. */
    private Path guest(PolicyRule rule) throws IOException {
        return new Kubeconfigs(API, folder).guest(namespace, rule);
    }

    private static PolicyRule rule(String plural, String verb) {
        return new PolicyRuleBuilder()
                .withApiGroups("flink.apache.org")
                .withResources(plural)
                .withVerbs(verb)
                .build();
    }

    private static List<HasMetadata> load(String yaml) {
        return API.client()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }
}
