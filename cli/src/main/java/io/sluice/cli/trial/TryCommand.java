// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.ProcessPrograms;
import io.sluice.cli.trial.program.Programs;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice try}: installs a release, runs an example, and removes both again. */
@Command(
        name = "try",
        description = {
            "Installs Sluice with Helm, runs an example job, changes it before your eyes, and"
                    + " forwards ports to Flink and to the autoscaler.",
            "",
            "It needs kubectl and helm, and changes nothing before it has checked all that it"
                    + " needs. In a cluster where Sluice, the Apache operator or their CRDs are"
                    + " already, it changes nothing. The example runs in the namespace sluice-try,"
                    + " the only one that is served.",
            "",
            "  sluice try --cluster kind     in a cluster that kind makes",
            "  sluice try                    in the cluster of the current context",
            "  sluice try --down             removes what the trial created, and nothing else"
        },
        exitCodeOnExecutionException = TryCommand.FAILED,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:the job ran; with --down: nothing that a trial created is left",
            "1:a step failed, or you did not agree; sluice try --down removes what is there",
            "2:something that is needed is missing, and nothing was changed"
        })
public final class TryCommand implements Callable<Integer> {
    private static final int DONE = 0;
    static final int FAILED = 1;
    private static final int REFUSED = 2;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("unused") // picocli prints the help by itself
    private boolean help;

    @Option(
            names = "--cluster",
            description = {
                "kind or k3d: a cluster that this program makes. current: that of the current"
                        + " context; also if not given.",
                "With --down and not given: the cluster that was made, if there is one."
            })
    private @Nullable ClusterChoice cluster;

    @Option(
            names = "--chart",
            paramLabel = "REF",
            description =
                    "The chart as Helm finds it: oci://..., an archive or a folder; that of this"
                            + " release if not given.")
    private @Nullable String chart;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description =
                    "The version of a chart in a registry; that of this command line if not"
                            + " given.")
    private @Nullable String version;

    @Option(
            names = "--plain-http",
            description = "The registry of the chart speaks HTTP. One on localhost is taken to.")
    private boolean plainHttp;

    @Option(
            names = "--values",
            paramLabel = "FILE",
            description = "Values for Helm, may be given several times.")
    private List<Path> values = List.of();

    @Option(
            names = {"-n", "--namespace"},
            description = "Where Sluice is installed; sluice-system if not given.")
    private String namespace = "sluice-system";

    @Option(
            names = "--example",
            description =
                    "first (also if not given): a job in Flink's own image. stateful: one whose"
                            + " state counts records, on a volume of the default StorageClass.")
    private Example example = Example.FIRST;

    @Option(
            names = "--image",
            description =
                    "What the example runs in: a mirror of flink:1.20 for first, and the release's"
                            + " image of example jobs for stateful.")
    private @Nullable String image;

    @Option(
            names = "--yes",
            description = "The cluster may be changed: don't ask, though no trial made it.")
    private boolean yes;

    @Option(names = "--no-wait", description = "End once the job runs, without forwarded ports.")
    private boolean noWait;

    @Option(names = "--down", description = "Remove what a trial created.")
    private boolean down;

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        PrintWriter out = line.getOut();
        Programs programs = ProcessPrograms.endingWithThisProcess();
        var tell = new Tell(out, InstantSource.system());
        var polling = new Polling(tell, InstantSource.system(), TryCommand::sleep);
        var reader = new TrialReader(programs);
        out.println("Looking at kubectl, helm, the cluster and what is in it.");
        out.flush();
        try {
            return down
                    ? remove(reader, new Removal(programs, tell, polling), programs)
                    : run(reader, programs, tell, polling);
        } catch (TrialFailure failed) {
            failed.details().forEach(tell::say);
            out.flush();
            line.getErr().println("sluice try: " + failed.getMessage());
            if (!down) {
                line.getErr().println("What is there stays; sluice try --down removes it.");
            }
            return FAILED;
        }
    }

    private int run(TrialReader reader, Programs programs, Tell tell, Polling polling) {
        TryRequest request = request();
        var ports = new Ports(programs, tell, polling, TryCommand::sleep);
        var trial = new TrialRun(programs, tell, polling, ports, TryCommand::agrees);
        Facts facts = reader.facts(request);
        TryPlan plan = TryPlan.of(request, facts);
        if (plan instanceof TryPlan.MakeCluster make) {
            trial.make(make, reader.currentContext());
            facts = reader.facts(request);
            plan = TryPlan.of(request, facts);
        }
        return switch (plan) {
            case TryPlan.Refused(List<Problem> problems) -> refused(problems);
            case TryPlan.MakeCluster(Maker maker, _) ->
                    throw new TrialFailure(
                            maker.program() + " made a cluster, and does not list it");
            case TryPlan.Steps(List<TryStep> steps) ->
                    trial.perform(kubectl(programs, facts.cluster()), steps, request.values())
                            ? DONE
                            : FAILED;
        };
    }

    private int remove(TrialReader reader, Removal removal, Programs programs) {
        ClusterChoice choice = Optional.ofNullable(cluster).orElseGet(() -> made(reader));
        DownFacts facts = reader.downFacts(choice, namespace);
        return switch (DownPlan.of(choice, facts)) {
            case DownPlan.NothingThere(String where) -> {
                Objects.requireNonNull(spec)
                        .commandLine()
                        .getOut()
                        .println("Nothing to remove: " + where);
                yield DONE;
            }
            case DownPlan.Refused(List<Problem> problems) -> refused(problems);
            case DownPlan.DeleteCluster(Maker maker) -> {
                removal.deleteCluster(maker);
                yield DONE;
            }
            case DownPlan.Steps(String context, List<DownStep> steps) -> {
                removal.perform(new Kubectl(programs, context), steps);
                yield DONE;
            }
        };
    }

    private static ClusterChoice made(TrialReader reader) {
        return Stream.of(ClusterChoice.KIND, ClusterChoice.K3D)
                .filter(choice -> choice.maker().filter(reader::hasMade).isPresent())
                .findFirst()
                .orElse(ClusterChoice.CURRENT);
    }

    private int refused(List<Problem> problems) {
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        problems.forEach(
                problem -> {
                    err.println("sluice try: " + problem.what() + ".");
                    err.println("    What to do: " + problem.remedy() + ".");
                });
        return REFUSED;
    }

    private static Kubectl kubectl(Programs programs, ClusterState cluster) {
        return switch (cluster) {
            case ClusterState.Answers answers -> new Kubectl(programs, answers.context());
            case ClusterState.NotMade _, ClusterState.NoContext _, ClusterState.Silent _ ->
                    throw new TrialFailure("the cluster does not answer");
        };
    }

    private TryRequest request() {
        Optional<String> own = property("sluice.version");
        return new TryRequest(
                Optional.ofNullable(cluster).orElse(ClusterChoice.CURRENT),
                Optional.ofNullable(chart)
                        .or(() -> property("sluice.chart"))
                        .map(
                                reference ->
                                        ChartReference.of(
                                                reference,
                                                Optional.ofNullable(version),
                                                own,
                                                plainHttp)),
                values,
                namespace,
                example,
                Optional.ofNullable(image),
                consent(),
                !noWait);
    }

    private TryRequest.Consent consent() {
        if (yes) {
            return TryRequest.Consent.GIVEN;
        }
        return terminal().isPresent()
                ? TryRequest.Consent.TO_BE_ASKED
                : TryRequest.Consent.NOT_TO_BE_HAD;
    }

    /** What {@code bin/sluice} of a release says of it. */
    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(text -> !text.isBlank());
    }

    private static Optional<Console> terminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal);
    }

    private static boolean agrees(String question) {
        return terminal()
                .map(console -> console.readLine("%s [y/N] ", question))
                .filter(answer -> answer.strip().toLowerCase(Locale.ROOT).startsWith("y"))
                .isPresent();
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TrialFailure("interrupted");
        }
    }
}
