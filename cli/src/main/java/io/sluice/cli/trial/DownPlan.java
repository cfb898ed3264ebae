// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.ClusterState.Answers;
import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How what a trial has created is removed, and nothing else. */
sealed interface DownPlan {
    /**
     * Nothing of a trial is there.
     *
     * @param where that was looked for
     */
    record NothingThere(String where) implements DownPlan {}

    /** Nothing is changed; all problems at once. */
    record Refused(List<Problem> problems) implements DownPlan {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** The cluster was made for the trial, and goes with all that is in it. */
    record DeleteCluster(Maker maker) implements DownPlan {}

    /** In this order. */
    record Steps(String context, List<DownStep> steps) implements DownPlan {
        public Steps {
            steps = List.copyOf(steps);
        }
    }

    /**
     * @param choice which cluster is to be looked at
     */
    static DownPlan of(ClusterChoice choice, DownFacts facts) {
        if (facts.tools().kubectl().isEmpty() || facts.tools().helm().isEmpty()) {
            return refused(
                    "kubectl or helm is not on the PATH",
                    "a removal needs both; nothing was removed");
        }
        Optional<Maker> maker = choice.maker();
        return switch (facts.cluster()) {
            case ClusterState.NotMade(Maker unknown) when !facts.tools().maker() ->
                    refused(
                            unknown.program()
                                    + " is not on the PATH, or does not list its clusters",
                            "a removal needs it; nothing was removed");
            case ClusterState.NotMade(Maker absent) ->
                    new NothingThere(absent.program() + " has no cluster '" + Trial.NAME + "'");
            case ClusterState.NoContext() ->
                    refused(
                            "the kubeconfig has no current context",
                            "choose that of the trial by kubectl config use-context, or say"
                                    + " --cluster kind if kind made the cluster");
            case ClusterState.Silent(String context, String why) ->
                    refused(
                            "the cluster of context '" + context + "' does not answer: " + why,
                            maker.map(DownPlan::byHand)
                                    .orElse("look at kubectl --context " + context + " version"));
            case Answers answers ->
                    maker.map(program -> made(program, answers))
                            .orElseGet(() -> installed(answers, facts));
        };
    }

    private static DownPlan made(Maker maker, Answers answers) {
        boolean isOurs =
                answers.trial()
                        .flatMap(trial -> trial.cluster().maker())
                        .filter(maker::equals)
                        .isPresent();
        return isOurs
                ? new DeleteCluster(maker)
                : refused(
                        maker.program()
                                + " has a cluster '"
                                + Trial.NAME
                                + "' in which no trial is on record",
                        byHand(maker));
    }

    private static String byHand(Maker maker) {
        return "if nobody needs it: " + String.join(" ", maker.deletion());
    }

    private static DownPlan installed(Answers answers, DownFacts facts) {
        Optional<Maker> maker = answers.trial().flatMap(trial -> trial.cluster().maker());
        if (maker.isPresent()) {
            return maker.filter(each -> each.context().equals(answers.context()))
                    .<DownPlan>map(DeleteCluster::new)
                    .orElseGet(() -> elsewhere(maker.get(), answers.context()));
        }
        if (answers.trialNamespace() != Presence.OWN) {
            return new NothingThere(
                    "context '" + answers.context() + "' has nothing that a trial has created");
        }
        if (!facts.guests().isEmpty()) {
            return refused(
                    "the namespace '"
                            + Trial.NAME
                            + "' has resources that no trial has created: "
                            + String.join(", ", facts.guests()),
                    "delete them first, as they would go with the namespace");
        }
        return new Steps(answers.context(), steps(answers, facts));
    }

    private static DownPlan elsewhere(Maker maker, String context) {
        return refused(
                maker.program()
                        + " made the cluster of context '"
                        + context
                        + "', and calls its context '"
                        + maker.context()
                        + "'",
                "say --cluster " + maker.program());
    }

    private static List<DownStep> steps(Answers answers, DownFacts facts) {
        List<DownStep> steps = new ArrayList<>();
        List<String> kinds = answers.crds().stream().map(Crd::name).toList();
        if (!kinds.isEmpty()) {
            steps.add(new DownStep.DeleteResources(kinds));
        }
        Optional<String> home =
                answers.trial()
                        .map(Trial::namespace)
                        .filter(_ -> answers.releaseNamespace() == Presence.OWN);
        home.filter(_ -> answers.release().isPresent())
                .ifPresent(namespace -> steps.add(new DownStep.Uninstall(namespace)));
        List<String> own = answers.crds().stream().filter(answers::isOwn).map(Crd::name).toList();
        if (!own.isEmpty()) {
            steps.add(crds(own, answers, facts));
        }
        home.ifPresent(namespace -> steps.add(new DownStep.DeleteNamespace(namespace)));
        // With the record, so that a removal that was interrupted can be repeated.
        steps.add(new DownStep.DeleteNamespace(Trial.NAME));
        return steps;
    }

    private static DownStep crds(List<String> own, Answers answers, DownFacts facts) {
        if (!facts.elsewhere().isEmpty()) {
            return new DownStep.KeepCrds(
                    own,
                    "other namespaces have resources of them: "
                            + String.join(", ", facts.elsewhere()));
        }
        if (!answers.operators().isEmpty()) {
            return new DownStep.KeepCrds(
                    own,
                    answers.operators().getFirst().product()
                            + " in namespace '"
                            + answers.operators().getFirst().namespace()
                            + "' serves them");
        }
        return new DownStep.DeleteCrds(own);
    }

    private static DownPlan refused(String what, String remedy) {
        return new Refused(List.of(new Problem(what, remedy)));
    }
}
