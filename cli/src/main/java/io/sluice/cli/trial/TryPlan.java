// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.ClusterState.Answers;
import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Presence;
import io.sluice.cli.trial.Facts.ChartState;
import io.sluice.cli.trial.TryRequest.Consent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is to be done for a {@link TryRequest}, by what was found.
 *
 * <pre>
 *   facts ──▸ problems? ──▸ Refused
 *               │ none
 *               ├─ the cluster is not made ──▸ MakeCluster ──▸ facts again
 *               └─ it answers ──────────────▸ Steps
 * </pre>
 */
sealed interface TryPlan {
    /** Nothing is changed; all problems at once. */
    record Refused(List<Problem> problems) implements TryPlan {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** A cluster is made, and what it is like is found out before anything else is planned. */
    record MakeCluster(Maker maker, TryStep.Begin begin) implements TryPlan {}

    /** In this order. */
    record Steps(List<TryStep> steps) implements TryPlan {
        public Steps {
            steps = List.copyOf(steps);
        }
    }

    /** The first Helm in which charts in registries are not an experiment. */
    ToolVersion OLDEST_HELM = new ToolVersion(3, 8, 0);

    /** What Kubernetes accepts as the name of a namespace. */
    Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    static TryPlan of(TryRequest request, Facts facts) {
        List<Problem> problems =
                Stream.of(
                                programs(request, facts.tools()),
                                input(request, facts),
                                chart(facts.chart()),
                                cluster(request, facts))
                        .flatMap(List::stream)
                        .toList();
        if (!problems.isEmpty()) {
            return new Refused(problems);
        }
        var begin = new TryStep.Begin(request.cluster(), request.namespace());
        return switch (facts.cluster()) {
            case ClusterState.NotMade(Maker maker) -> new MakeCluster(maker, begin);
            case Answers answers -> new Steps(steps(request, answers, begin));
            // Both are problems.
            case ClusterState.NoContext() -> new Refused(List.of());
            case ClusterState.Silent _ -> new Refused(List.of());
        };
    }

    private static List<TryStep> steps(TryRequest request, Answers answers, TryStep.Begin begin) {
        Example example = request.example();
        List<TryStep> steps = new ArrayList<>();
        if (isForeign(answers) && request.consent() == Consent.TO_BE_ASKED) {
            steps.add(new TryStep.Confirm(answers.context()));
        }
        steps.add(begin);
        request.chart()
                .ifPresent(chart -> steps.add(new TryStep.Install(chart, request.namespace())));
        steps.add(new TryStep.Run(example, request.exampleImage()));
        if (example.keepsState()) {
            steps.add(new TryStep.Upgrade(example));
        }
        steps.add(new TryStep.BreakImage(example));
        steps.add(new TryStep.LookAround(example, request.namespace(), request.waits()));
        return steps;
    }

    /** Whether the cluster is somebody's, so that its owner has to agree. */
    private static boolean isForeign(Answers answers) {
        return answers.trial().flatMap(trial -> trial.cluster().maker()).isEmpty();
    }

    private static List<Problem> programs(TryRequest request, Facts.Tools tools) {
        List<Problem> problems = new ArrayList<>();
        if (tools.kubectl().isEmpty()) {
            problems.add(
                    new Problem(
                            "kubectl is not on the PATH",
                            "install it: https://kubernetes.io/docs/tasks/tools"));
        }
        if (tools.helm().isEmpty()) {
            problems.add(
                    new Problem(
                            "helm is not on the PATH",
                            "install Helm "
                                    + OLDEST_HELM
                                    + " or later: https://helm.sh/docs/intro/install"));
        }
        tools.helm()
                .filter(version -> version.isBefore(OLDEST_HELM))
                .ifPresent(
                        version ->
                                problems.add(
                                        new Problem(
                                                "helm is of version " + version,
                                                "install Helm "
                                                        + OLDEST_HELM
                                                        + " or later: https://helm.sh/docs/intro/install")));
        request.cluster()
                .maker()
                .filter(_ -> !tools.maker())
                .ifPresent(
                        maker ->
                                problems.add(
                                        new Problem(
                                                maker.program()
                                                        + " is not on the PATH, or does not list"
                                                        + " its clusters",
                                                "install it, and what it runs containers with, or"
                                                        + " name another --cluster")));
        return problems;
    }

    private static List<Problem> input(TryRequest request, Facts facts) {
        List<Problem> problems = new ArrayList<>();
        facts.unreadable()
                .forEach(
                        file ->
                                problems.add(
                                        new Problem(
                                                "--values: '" + file + "' cannot be read",
                                                "name a file")));
        if (!NAMESPACE.matcher(request.namespace()).matches()) {
            problems.add(
                    new Problem(
                            "--namespace is '" + request.namespace() + "'",
                            "write a name of Kubernetes, such as sluice-system"));
        }
        if (request.namespace().equals(Trial.NAME)) {
            problems.add(
                    new Problem(
                            "--namespace is '" + Trial.NAME + "', which the example runs in",
                            "name another one for the release, such as sluice-system"));
        }
        if (request.example().keepsState() && request.exampleImage().isEmpty()) {
            problems.add(
                    new Problem(
                            "nothing says where the image of the example jobs is",
                            "name it by --image; a release pushes it as"
                                    + " REGISTRY/sluice/examples:VERSION"));
        }
        return problems;
    }

    private static List<Problem> chart(ChartState chart) {
        return switch (chart) {
            case ChartState.Unnamed() ->
                    List.of(
                            new Problem(
                                    "nothing says where the chart is: this command line is from a"
                                            + " checkout, or from a release without a registry",
                                    "name it by --chart: oci://REGISTRY/charts/sluice, an archive,"
                                            + " or a folder"));
            case ChartState.Unreadable(String reference, String why) ->
                    List.of(
                            new Problem(
                                    "helm can't read the chart '" + reference + "': " + why,
                                    "name another one by --chart and --version; for a registry"
                                            + " that speaks HTTP add --plain-http"));
            case ChartState.Known(String name, _, _) when !name.equals(Trial.RELEASE) ->
                    List.of(
                            new Problem(
                                    "--chart names the chart '" + name + "'",
                                    "name that of Sluice"));
            case ChartState.Known _, ChartState.Unknown() -> List.of();
        };
    }

    private static List<Problem> cluster(TryRequest request, Facts facts) {
        return switch (facts.cluster()) {
            // Without kubectl nothing was asked, and that is told already.
            case ClusterState.NoContext() when facts.tools().kubectl().isEmpty() -> List.of();
            case ClusterState.NoContext() ->
                    List.of(
                            new Problem(
                                    "the kubeconfig has no current context",
                                    "choose one by kubectl config use-context, or have a cluster"
                                            + " made: --cluster kind"));
            case ClusterState.Silent(String context, String why) ->
                    List.of(
                            new Problem(
                                    "the cluster of context '"
                                            + context
                                            + "' does not answer: "
                                            + why,
                                    "look at kubectl --context "
                                            + context
                                            + " version, or have a cluster made: --cluster kind"));
            case ClusterState.NotMade _ -> List.of();
            case Answers answers ->
                    Stream.of(
                                    abilities(request, facts, answers),
                                    others(answers),
                                    former(request, answers))
                            .flatMap(List::stream)
                            .toList();
        };
    }

    private static List<Problem> abilities(TryRequest request, Facts facts, Answers answers) {
        List<Problem> problems = new ArrayList<>();
        oldest(facts.chart())
                .filter(answers.kubernetes()::isBefore)
                .ifPresent(
                        oldest ->
                                problems.add(
                                        new Problem(
                                                "the cluster of context '"
                                                        + answers.context()
                                                        + "' has Kubernetes "
                                                        + answers.kubernetes()
                                                        + ", and the chart needs "
                                                        + oldest,
                                                "choose a newer cluster")));
        if (!answers.mayInstall()) {
            problems.add(
                    new Problem(
                            "you may not create CustomResourceDefinitions and ClusterRoles in"
                                    + " context '"
                                    + answers.context()
                                    + "'",
                            "use an administrator's context, or have a cluster made: --cluster"
                                    + " kind"));
        }
        if (request.example().keepsState() && !answers.hasStorage()) {
            problems.add(
                    new Problem(
                            "no StorageClass of the cluster is the default, and the example '"
                                    + request.example().resource()
                                    + "' needs a volume",
                            "make one the default (annotation"
                                    + " storageclass.kubernetes.io/is-default-class), or try"
                                    + " --example first"));
        }
        if (isForeign(answers) && request.consent() == Consent.NOT_TO_BE_HAD) {
            problems.add(
                    new Problem(
                            "the cluster of context '"
                                    + answers.context()
                                    + "' would be changed, and nobody can be asked here",
                            "add --yes if it may be changed, or have a cluster made: --cluster"
                                    + " kind"));
        }
        return problems;
    }

    private static Optional<ToolVersion> oldest(ChartState chart) {
        return switch (chart) {
            case ChartState.Known(_, _, Optional<ToolVersion> oldest) -> oldest;
            case ChartState.Unnamed(), ChartState.Unknown(), ChartState.Unreadable _ ->
                    Optional.empty();
        };
    }

    /** What others have installed: nothing of it is touched, and two operators don't mix. */
    private static List<Problem> others(Answers answers) {
        List<Problem> problems = new ArrayList<>();
        answers.operators()
                .forEach(
                        operator ->
                                problems.add(
                                        new Problem(
                                                operator.product()
                                                        + " is installed already, in namespace '"
                                                        + operator.namespace()
                                                        + "' of context '"
                                                        + answers.context()
                                                        + "'",
                                                "nothing was changed; try another cluster:"
                                                        + " --cluster kind")));
        String foreign =
                answers.crds().stream()
                        .filter(crd -> !answers.isOwn(crd))
                        .map(Crd::name)
                        .collect(Collectors.joining(", "));
        if (!foreign.isEmpty()) {
            problems.add(
                    new Problem(
                            "the cluster of context '"
                                    + answers.context()
                                    + "' has CRDs of Flink that no trial has created: "
                                    + foreign,
                            "nothing was changed; try another cluster: --cluster kind"));
        }
        if (answers.trialNamespace() == Presence.FOREIGN) {
            problems.add(
                    new Problem(
                            "the namespace '"
                                    + Trial.NAME
                                    + "' is there, and no trial has created it",
                            "delete it if nobody needs it, or try another cluster: --cluster kind"));
        }
        return problems;
    }

    /** What an earlier trial has left. */
    private static List<Problem> former(TryRequest request, Answers answers) {
        List<Problem> problems = new ArrayList<>();
        Optional<String> elsewhere =
                answers.trial()
                        .map(Trial::namespace)
                        .filter(namespace -> !namespace.equals(request.namespace()));
        elsewhere.ifPresent(
                namespace ->
                        problems.add(
                                new Problem(
                                        "a trial has installed Sluice into the namespace '"
                                                + namespace
                                                + "' already",
                                        "say --namespace "
                                                + namespace
                                                + ", or remove it first: sluice try --down")));
        if (elsewhere.isEmpty() && answers.releaseNamespace() == Presence.FOREIGN) {
            problems.add(
                    new Problem(
                            "the namespace '"
                                    + request.namespace()
                                    + "' is there, and no trial has created it",
                            "name another one by --namespace"));
        }
        answers.release()
                .filter(state -> !state.equals("deployed") && !state.equals("failed"))
                .ifPresent(
                        state ->
                                problems.add(
                                        new Problem(
                                                "the release of an earlier trial is " + state,
                                                "remove it first: sluice try --down")));
        return problems;
    }
}
