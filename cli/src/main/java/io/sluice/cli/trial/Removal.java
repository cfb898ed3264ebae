// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Programs;
import io.sluice.cli.trial.program.Programs.Call;
import io.sluice.cli.trial.program.Programs.Outcome;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Does the steps of a removal. */
final class Removal {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final Programs programs;
    private final Tell tell;
    private final Polling polling;

    Removal(Programs programs, Tell tell, Polling polling) {
        this.programs = programs;
        this.tell = tell;
        this.polling = polling;
    }

    void deleteCluster(Maker maker) {
        tell.step("The cluster that " + maker.program() + " made for the trial is deleted");
        done(maker.program() + " to delete the cluster", maker.deletion());
        tell.seen("removed: the cluster " + Trial.NAME + " with all that was in it");
    }

    void perform(Kubectl kubectl, List<DownStep> steps) {
        tell.step("What the trial created in context " + kubectl.context() + " is removed");
        for (DownStep step : steps) {
            switch (step) {
                case DownStep.DeleteResources(List<String> kinds) -> resources(kubectl, kinds);
                case DownStep.Uninstall(String namespace) -> {
                    done(
                            "Helm to remove the release",
                            List.of(
                                    "helm",
                                    "uninstall",
                                    Trial.RELEASE,
                                    "--kube-context",
                                    kubectl.context(),
                                    "-n",
                                    namespace,
                                    "--wait",
                                    "--timeout",
                                    "4m"));
                    tell.seen("removed: the release " + Trial.RELEASE);
                }
                case DownStep.DeleteCrds(List<String> names) -> {
                    done("the CRDs to be gone", kubectl.command(deletion("crd", names)));
                    tell.seen("removed: the CRDs " + String.join(", ", names));
                }
                case DownStep.KeepCrds(List<String> names, String why) ->
                        tell.say("kept: the CRDs " + String.join(", ", names) + ", as " + why);
                case DownStep.DeleteNamespace(String name) -> {
                    done(
                            "the namespace " + name + " to be gone",
                            kubectl.command(deletion("namespace", List.of(name))));
                    tell.seen("removed: the namespace " + name);
                }
            }
        }
    }

    private static String[] deletion(String kind, List<String> names) {
        return Stream.of(
                        Stream.of("delete", kind),
                        names.stream(),
                        Stream.of("--ignore-not-found", "--timeout=240s"))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }

    /** While the operator runs, which ends the jobs. */
    private void resources(Kubectl kubectl, List<String> kinds) {
        String[] deletion = {
            "delete", String.join(",", kinds), "--all", "-n", Trial.NAME, "--wait=false"
        };
        tell.command(kubectl.command(deletion));
        Outcome deleted = kubectl.run(deletion);
        if (!deleted.succeeded()) {
            throw new TrialFailure("the resources cannot be deleted: " + deleted.complaint());
        }
        Supplier<Optional<List<JsonNode>>> left =
                () ->
                        kubectl.find("get", String.join(",", kinds), "-n", Trial.NAME, "-o", "json")
                                .map(found -> Kubectl.items(found).toList());
        boolean gone =
                polling.until(
                        "the resources to be gone",
                        LIMIT,
                        () -> left.get().map(Removal::text).orElse(""),
                        () -> left.get().filter(List::isEmpty).isPresent());
        if (!gone) {
            throw new TrialFailure(
                    "resources of the namespace "
                            + Trial.NAME
                            + " are not gone after "
                            + LIMIT.toMinutes()
                            + " minutes: "
                            + left.get().map(Removal::text).orElse("they cannot be read"),
                    List.of(
                            "Nothing else was removed. docs/uninstall.md says what to do with"
                                    + " resources that do not go away; then run sluice try --down"
                                    + " again."));
        }
        tell.seen("removed: the Flink resources in namespace " + Trial.NAME);
    }

    private static String text(List<JsonNode> resources) {
        return resources.stream()
                .map(each -> each.at("/metadata/name").asText() + " " + JobStatus.of(each).text())
                .collect(Collectors.joining("; "));
    }

    private void done(String what, List<String> command) {
        tell.command(command);
        Outcome outcome =
                polling.meanwhile(
                        what,
                        LIMIT.plus(MARGIN),
                        () -> "",
                        () -> programs.run(new Call(command, "", LIMIT)));
        if (!outcome.succeeded()) {
            throw new TrialFailure(
                    "waited in vain for " + what + ": " + outcome.complaint(),
                    List.of("Run sluice try --down again once that is put right."));
        }
    }
}
