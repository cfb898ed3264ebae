// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.cli.ClusterCommand;
import io.sluice.cli.Kubeconfigs;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands against a real API server with the real CRDs. */
class BlueGreenCommandIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String namespace = "";

    @BeforeEach
    void makeNamespace() {
        namespace = API.newNamespace();
    }

    @Test
    void anApprovalIsTheGenerationOfTheTransition() throws IOException {
        make("Approval");

        assertThat(run(new PromoteCommand(), administrator(), "orders"))
                .as(err.toString())
                .isZero();

        assertThat(stored().getMetadata().getAnnotations())
                .containsEntry(FlinkBlueGreenDeployment.PROMOTE, "7");
        assertThat(out.toString()).contains("waited for that, and is promoted");
    }

    @Test
    void anApprovalLeavesOtherAnnotations() throws IOException {
        make("Proving");
        FlinkBlueGreenDeployment pair = stored();
        pair.getMetadata().setAnnotations(Map.of("team/on-call", "a"));
        API.client().resource(pair).update();

        assertThat(run(new PromoteCommand(), administrator(), "orders"))
                .as(err.toString())
                .isZero();

        assertThat(stored().getMetadata().getAnnotations())
                .containsEntry(FlinkBlueGreenDeployment.PROMOTE, "7")
                .containsEntry("team/on-call", "a");
    }

    @Test
    void whatIsPromotedIsNotApprovedOfNorAborted() throws IOException {
        make("Retiring");

        assertThat(run(new PromoteCommand(), administrator(), "orders")).isEqualTo(1);
        assertThat(run(abort(Optional.of(true)), administrator(), "orders", "--yes")).isEqualTo(1);

        assertThat(err.toString()).contains("is promoted already");
        assertThat(stored().getMetadata().getAnnotations()).isNullOrEmpty();
        assertThat(stored().getSpec().path("template")).isEqualTo(Pairs.template(2));
    }

    @Test
    void anAbortionSetsTheTemplateBackOnceSomebodySaysYes() throws IOException {
        make("Starting");

        assertThat(run(abort(Optional.empty()), administrator(), "orders")).isEqualTo(2);
        assertThat(err.toString()).contains("give --yes");
        assertThat(run(abort(Optional.of(false)), administrator(), "orders")).isEqualTo(2);
        assertThat(stored().getSpec().path("template")).isEqualTo(Pairs.template(2));

        assertThat(run(abort(Optional.of(true)), administrator(), "orders"))
                .as(err.toString())
                .isZero();

        assertThat(stored().getSpec().path("template")).isEqualTo(Pairs.template(1));
        assertThat(out.toString())
                .contains("spec.image: flink:2 -> flink:1", "The edit is dropped");
    }

    /** The status is written while somebody reads the question. */
    @Test
    void aStatusThatIsWrittenMeanwhileDoesNotMatter() throws IOException {
        make("Starting");

        int code =
                run(
                        new AbortCommand(
                                _ -> {
                                    phase("Proving");
                                    return Optional.of(true);
                                }),
                        administrator(),
                        "orders");

        assertThat(code).as(err.toString()).isZero();
        assertThat(stored().getSpec().path("template")).isEqualTo(Pairs.template(1));
    }

    @Test
    void aPromotionMeanwhileIsNotAborted() throws IOException {
        make("Approval");

        int code =
                run(
                        new AbortCommand(
                                _ -> {
                                    phase("Retiring");
                                    return Optional.of(true);
                                }),
                        administrator(),
                        "orders");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("changed meanwhile", "nothing was set back");
        assertThat(stored().getSpec().path("template")).isEqualTo(Pairs.template(2));
    }

    @Test
    void theRightThatIsMissingIsNamed() throws IOException {
        make("Approval");
        Path guest =
                new Kubeconfigs(API, folder)
                        .guest(
                                namespace,
                                new PolicyRuleBuilder()
                                        .withApiGroups("flink.apache.org")
                                        .withResources("flinkbluegreendeployments")
                                        .withVerbs("get")
                                        .build());

        assertThat(run(new PromoteCommand(), guest, "orders")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no right to patch flinkbluegreendeployments.flink.apache.org");
        assertThat(run(new PromoteCommand(), guest, "ordres")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no FlinkBlueGreenDeployment 'ordres'");
    }

    @Test
    void aPlanComparesWithTheClusterAndItsQuotas() throws IOException {
        make("Ended");
        FlinkBlueGreenDeployment wish = Pairs.resource("Ended");
        wish.getSpec().set("template", Pairs.template(3));
        Path file = write(wish);

        assertThat(run(new PlanCommand(), administrator(), file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains(
                        "compared with what orders-blue has",
                        "It starts a transition to the other half from a savepoint",
                        "more cores",
                        "have room for it",
                        "spec.image: flink:1 -> flink:3");

        API.client()
                .resource(
                        new ResourceQuotaBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName("team")
                                .endMetadata()
                                .withNewSpec()
                                .withHard(Map.of("pods", new Quantity("1")))
                                .endSpec()
                                .build())
                .create();
        API.client()
                .resourceQuotas()
                .inNamespace(namespace)
                .withName("team")
                .editStatus(
                        quota ->
                                quota.edit()
                                        .withNewStatus()
                                        .withHard(Map.of("pods", new Quantity("1")))
                                        .withUsed(Map.of("pods", new Quantity("0")))
                                        .endStatus()
                                        .build());

        assertThat(run(new PlanCommand(), administrator(), file.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("ResourceQuota 'team' leaves 1 of pods");
    }

    @Test
    void aPlanWithoutAClusterComparesTwoFiles() throws IOException {
        Path after = write(Pairs.resource("Ended"));
        FlinkBlueGreenDeployment former = Pairs.resource("Ended");
        former.getSpec().set("template", Pairs.template(1));
        Path before = Files.writeString(folder.resolve("former.json"), manifest(former).toString());

        int code =
                new CommandLine(new PlanCommand())
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(after.toString(), "--from", before.toString());

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("compared with " + before, "no cluster is asked with --from");
    }

    private static AbortCommand abort(Optional<Boolean> answer) {
        return new AbortCommand(_ -> answer);
    }

    private void make(String phase) {
        FlinkBlueGreenDeployment pair = Pairs.resource(phase);
        pair.getMetadata().setNamespace(namespace);
        pair.getMetadata().setResourceVersion(null);
        API.client().resource(pair).create();
        phase(phase);
    }

    private void phase(String phase) {
        FlinkBlueGreenDeployment pair = stored();
        ObjectNode status = Pairs.resource(phase).getStatus();
        ((ObjectNode) status.at("/conditions/0"))
                .put("message", "")
                .put("lastTransitionTime", "2026-03-01T12:00:00Z");
        pair.setStatus(status);
        API.client().resource(pair).updateStatus();
    }

    private FlinkBlueGreenDeployment stored() {
        return API.client()
                .resources(FlinkBlueGreenDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get();
    }

    private Path write(FlinkBlueGreenDeployment pair) throws IOException {
        return Files.writeString(folder.resolve("pair.json"), manifest(pair).toString());
    }

    private ObjectNode manifest(FlinkBlueGreenDeployment pair) {
        ObjectNode document = Pairs.json("{}");
        document.put("apiVersion", pair.getApiVersion()).put("kind", pair.getKind());
        document.putObject("metadata").put("name", "orders").put("namespace", namespace);
        document.set("spec", pair.getSpec());
        return document;
    }

    private int run(Callable<Integer> command, Path kubeconfig, String... arguments) {
        return new ClusterCommand(command, kubeconfig, namespace, out, err).run(arguments);
    }

    private Path administrator() throws IOException {
        return new Kubeconfigs(API, folder).administrator();
    }
}
