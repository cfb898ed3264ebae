// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import io.sluice.cli.document.Unreadable;
import io.sluice.cli.lint.ConfigurationOption;
import io.sluice.cli.lint.Lint;
import io.sluice.cli.lint.LintReport;
import io.sluice.cli.lint.LintText;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice bluegreen plan}: what an edit of a pair would do. */
@Command(
        name = "plan",
        description = {
            "Says what the operator would do if the FlinkBlueGreenDeployment in a file were"
                    + " applied: whether the active half is changed in place or the other one is"
                    + " started, what that takes and for how long at most, and what is processed"
                    + " twice.",
            "",
            "It compares with the pair in the cluster and with the ResourceQuotas of its namespace,"
                    + " or with the pair in another file (--from), and changes nothing."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = End.UNKNOWN,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            End.DONE + ":the edit would be carried out",
            End.REFUSED
                    + ":admission refuses it, or a ResourceQuota has too little room for both"
                    + " halves",
            End.UNKNOWN
                    + ":a file cannot be read, a right is missing, the cluster does not answer, or"
                    + " the command line is wrong"
        })
final class PlanCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "YAML or JSON with one FlinkBlueGreenDeployment, or - for the standard input.")
    private String file = "";

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "The pair as it is now, to compare with instead of the one in the cluster.")
    private @Nullable String from;

    @Mixin private ConfigurationOption configuration = new ConfigurationOption();

    @Mixin private PairOptions options = new PairOptions();

    /** A plan, and what the quotas say about it. */
    private record Answer(
            PlanSubject subject, String namespace, Plan plan, Optional<PlanRoom> room) {}

    @Override
    public Integer call() {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        try {
            Document document = pair(file);
            DefaultConfiguration defaults = configuration.read();
            LintReport report =
                    new Lint(defaults, "sluice-system", options.namespace().orElse("default"))
                            .review(List.of(document));
            if (!report.isValid()) {
                line.getErr().print(LintText.of(report));
                line.getErr().flush();
                return End.REFUSED;
            }
            Answer answer = answer(document, defaults);
            write(answer, document, line.getOut());
            return answer.room().filter(room -> !room.isEnough()).isPresent()
                    ? End.REFUSED
                    : End.DONE;
        } catch (NotDone | Unreadable | KubernetesClientException unknown) {
            line.getErr().println("sluice bluegreen plan: " + SafeText.message(unknown));
            line.getErr().flush();
            return End.UNKNOWN;
        }
    }

    private Answer answer(Document document, DefaultConfiguration defaults) {
        Optional<String> home = Optional.of(document.namespace()).filter(name -> !name.isEmpty());
        if (from != null) {
            String namespace = options.namespace().or(() -> home).orElse("default");
            var subject = new PlanSubject.InFile(pair(from));
            Plan plan = Plan.of(document, namespace, subject, defaults);
            return new Answer(
                    subject,
                    namespace,
                    plan,
                    Optional.of(PlanRoom.UNASKED).filter(_ -> plan.needsRoom()));
        }
        home.filter(name -> !options.namespace().orElse(name).equals(name))
                .ifPresent(
                        name -> {
                            throw new NotDone(
                                    "-n: the namespace in "
                                            + file
                                            + " is '"
                                            + name
                                            + "'; leave out one of the two");
                        });
        return options.ask("sluice-plan", home, cluster -> live(cluster, document, defaults));
    }

    private static Answer live(
            PairCluster cluster, Document document, DefaultConfiguration defaults) {
        PlanSubject subject =
                cluster.find(document.name())
                        .<PlanSubject>map(PlanSubject.Live::new)
                        .orElseGet(PlanSubject.New::new);
        Plan plan = Plan.of(document, cluster.namespace(), subject, defaults);
        Optional<PlanRoom> room =
                plan.needsRoom()
                                && document.content().at("/spec/template")
                                        instanceof ObjectNode half
                        ? Optional.of(
                                PlanRoom.of(half, cluster.namespace(), cluster.quotas(), defaults))
                        : Optional.empty();
        return new Answer(subject, cluster.namespace(), plan, room);
    }

    private void write(Answer answer, Document document, PrintWriter out) {
        out.println(
                SafeText.line(
                        "FlinkBlueGreenDeployment "
                                + answer.namespace()
                                + "/"
                                + document.name()
                                + " in "
                                + file
                                + ", "
                                + answer.subject().text()
                                + ":"));
        Plan plan = answer.plan();
        plan.what().forEach(text -> out.println("  " + text));
        answer.room().ifPresent(room -> out.println("  " + room.text()));
        section("Changes in spec.template:", plan.changes(), out);
        section("Warnings:", plan.odd(), out);
        out.flush();
    }

    private static void section(String title, List<String> lines, PrintWriter out) {
        if (!lines.isEmpty()) {
            out.println(title);
            lines.forEach(text -> out.println("  " + text));
        }
    }

    /** The only pair in a file. */
    private static Document pair(String name) {
        List<Document> pairs =
                Documents.read(List.of(name), System.in).stream()
                        .filter(
                                each ->
                                        each.kind()
                                                .equals(
                                                        ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT
                                                                .wire()))
                        .toList();
        if (pairs.size() != 1) {
            throw new Unreadable(
                    name
                            + ": has "
                            + pairs.size()
                            + " FlinkBlueGreenDeployments; name a file with one");
        }
        return pairs.getFirst();
    }
}
