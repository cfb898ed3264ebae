// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.trial.Ports.Forward;
import io.sluice.cli.trial.program.Events;
import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Programs;
import io.sluice.cli.trial.program.Programs.Call;
import io.sluice.cli.trial.program.Programs.Outcome;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Does the steps of a trial. */
final class TrialRun {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration MAKE = Duration.ofMinutes(8);
    private static final Duration INSTALL = Duration.ofMinutes(6);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final Programs programs;
    private final Tell tell;
    private final Polling polling;
    private final Ports ports;
    private final Predicate<String> agrees;

    /**
     * @param agrees asks the user a question that is answered by yes or no
     */
    TrialRun(Programs programs, Tell tell, Polling polling, Ports ports, Predicate<String> agrees) {
        this.programs = programs;
        this.tell = tell;
        this.polling = polling;
        this.ports = ports;
        this.agrees = agrees;
    }

    /**
     * Makes the cluster, and records that a trial has made it.
     *
     * @param current the current context, which stays the current one; empty if there is none
     */
    void make(TryPlan.MakeCluster plan, Optional<String> current) {
        Maker maker = plan.maker();
        tell.step("A cluster by " + maker.program() + ", called " + Trial.NAME);
        tell.command(maker.creation());
        Outcome made =
                polling.meanwhile(
                        maker.program() + " to make the cluster",
                        MAKE.plus(MARGIN),
                        () -> "",
                        () -> programs.run(new Call(maker.creation(), "", MAKE)));
        if (!made.succeeded()) {
            throw new TrialFailure(
                    maker.program() + " did not make a cluster: " + made.complaint());
        }
        current.ifPresent(
                context ->
                        programs.run(
                                new Call(
                                        List.of("kubectl", "config", "use-context", context),
                                        "",
                                        MARGIN)));
        tell.seen("its context is " + maker.context());
        begin(new Kubectl(programs, maker.context()), plan.begin());
    }

    /**
     * @param values files for Helm
     * @return whether all steps were done; false if the user does not agree
     */
    boolean perform(Kubectl kubectl, List<TryStep> steps, List<Path> values) {
        for (TryStep step : steps) {
            switch (step) {
                case TryStep.Confirm(String context) -> {
                    String question =
                            "Install Sluice and a job into the cluster of context '"
                                    + context
                                    + "'?";
                    if (!agrees.test(question)) {
                        return false;
                    }
                }
                case TryStep.Begin begin -> {
                    tell.step("The cluster of context " + kubectl.context());
                    begin(kubectl, begin);
                }
                case TryStep.Install install -> install(kubectl, install, values);
                case TryStep.Run(Example example, Optional<String> image) ->
                        job(kubectl, example).run(image);
                case TryStep.Upgrade(Example example) -> job(kubectl, example).upgrade();
                case TryStep.BreakImage(Example example) -> job(kubectl, example).breakImage();
                case TryStep.LookAround look -> lookAround(kubectl, look);
            }
        }
        return true;
    }

    private ExampleJob job(Kubectl kubectl, Example example) {
        return new ExampleJob(kubectl, tell, polling, example);
    }

    private void begin(Kubectl kubectl, TryStep.Begin begin) {
        ObjectNode list = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        list.withArray("/items").add(own("Namespace", Trial.NAME));
        ObjectNode record = own("ConfigMap", Trial.NAME);
        record.withObject("/metadata").put("namespace", Trial.NAME);
        record.withObject("/data")
                .put(Trial.CLUSTER, begin.cluster().word())
                .put(Trial.RELEASE_NAMESPACE, begin.namespace());
        list.withArray("/items").add(record).add(own("Namespace", begin.namespace()));
        Outcome applied = kubectl.apply(list);
        if (!applied.succeeded()) {
            throw new TrialFailure("the namespaces cannot be created: " + applied.complaint());
        }
        tell.seen(
                "namespaces "
                        + begin.namespace()
                        + " and "
                        + Trial.NAME
                        + ", with a record of what is created");
    }

    private static ObjectNode own(String kind, String name) {
        ObjectNode object = JSON.createObjectNode().put("apiVersion", "v1").put("kind", kind);
        object.withObject("/metadata").put("name", name);
        object.withObject("/metadata/labels").put(Trial.LABEL, Trial.NAME);
        return object;
    }

    private void install(Kubectl kubectl, TryStep.Install install, List<Path> values) {
        tell.step("Sluice is installed by Helm");
        List<String> command = installation(kubectl.context(), install, values);
        tell.command(command);
        Outcome installed =
                polling.meanwhile(
                        "Helm to install the release",
                        INSTALL.plus(MARGIN),
                        () -> pods(kubectl, install.namespace()),
                        () -> programs.run(new Call(command, "", INSTALL)));
        if (!installed.succeeded()) {
            List<String> details = new ArrayList<>(List.of(pods(kubectl, install.namespace())));
            details.addAll(Events.last(kubectl, install.namespace()));
            throw new TrialFailure("Helm has failed: " + installed.complaint(), details);
        }
        tell.say(pods(kubectl, install.namespace()));
        tell.seen("webhook, operator and autoscaler run; they serve the namespace " + Trial.NAME);
    }

    static List<String> installation(String context, TryStep.Install install, List<Path> values) {
        List<String> command =
                new ArrayList<>(List.of("helm", "upgrade", "--install", Trial.RELEASE));
        command.addAll(install.chart().arguments());
        command.addAll(List.of("--kube-context", context, "-n", install.namespace()));
        values.forEach(file -> command.addAll(List.of("-f", file.toString())));
        // Nothing that anybody else has in the cluster is served.
        command.addAll(List.of("--set", "watchNamespaces={" + Trial.NAME + "}"));
        command.addAll(List.of("--wait", "--timeout", "5m"));
        return List.copyOf(command);
    }

    private static String pods(Kubectl kubectl, String namespace) {
        return kubectl.find("get", "pods", "-n", namespace, "-o", "json").stream()
                .flatMap(Kubectl::items)
                .map(TrialRun::pod)
                .collect(Collectors.joining("; "));
    }

    private static String pod(JsonNode pod) {
        boolean isReady =
                pod.at("/status/conditions")
                        .valueStream()
                        .anyMatch(
                                each ->
                                        each.path("type").asText().equals("Ready")
                                                && each.path("status").asText().equals("True"));
        String why =
                pod.at("/status/containerStatuses")
                        .valueStream()
                        .map(each -> each.at("/state/waiting/reason").asText())
                        .filter(each -> !each.isEmpty())
                        .findFirst()
                        .orElse(isReady ? "ready" : pod.at("/status/phase").asText());
        return pod.at("/metadata/name").asText() + " " + why;
    }

    private void lookAround(Kubectl kubectl, TryStep.LookAround look) {
        tell.step("Look around");
        String name = look.example().resource();
        tell.command(kubectl.command("get", "flinkdep", "-n", Trial.NAME));
        tell.command(kubectl.command("describe", "flinkdep", name, "-n", Trial.NAME));
        List<Forward> forwards =
                List.of(
                        new Forward(
                                "Flink's web interface", Trial.NAME, name + "-rest", 8081, 8081),
                        new Forward(
                                "The autoscaler's page",
                                look.namespace(),
                                Trial.RELEASE + "-autoscaler",
                                80,
                                8080));
        if (look.forwards()) {
            ports.keep(kubectl, forwards);
            return;
        }
        forwards.forEach(each -> tell.command(each.command(kubectl, each.preferred())));
        tell.say("");
        tell.say("Everything stays as it is until sluice try --down.");
    }
}
