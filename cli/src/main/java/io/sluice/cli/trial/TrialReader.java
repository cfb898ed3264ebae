// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.TriggerType;
import io.sluice.cli.trial.ClusterState.Answers;
import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Operator;
import io.sluice.cli.trial.ClusterState.Presence;
import io.sluice.cli.trial.Facts.ChartState;
import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Programs;
import io.sluice.cli.trial.program.Programs.Call;
import io.sluice.cli.trial.program.Programs.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds out what a trial, or its removal, is planned by. It changes nothing. */
final class TrialReader {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration DOWNLOAD = Duration.ofMinutes(2);
    private static final ObjectMapper YAML = new YAMLMapper();
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final List<String> CRDS =
            Stream.of(
                            "flinkdeployments",
                            "flinksessionjobs",
                            "flinkstatesnapshots",
                            "flinkbluegreendeployments")
                    .map(plural -> plural + "." + ApiVersion.GROUP)
                    .toList();

    private final Programs programs;

    TrialReader(Programs programs) {
        this.programs = programs;
    }

    Facts facts(TryRequest request) {
        Facts.Tools tools = tools(request.cluster());
        return new Facts(
                tools,
                chart(request.chart(), tools),
                cluster(request.cluster(), tools, request.namespace()),
                request.values().stream().filter(file -> !isReadable(file)).toList());
    }

    /**
     * @param namespace where a trial has its release if none is on record
     */
    DownFacts downFacts(ClusterChoice choice, String namespace) {
        Facts.Tools tools = tools(choice);
        ClusterState cluster = cluster(choice, tools, namespace);
        return switch (cluster) {
            case Answers answers -> {
                List<JsonNode> resources = resources(answers);
                yield new DownFacts(
                        tools,
                        cluster,
                        resources.stream()
                                .filter(TrialReader::isGuest)
                                .map(TrialReader::name)
                                .toList(),
                        resources.stream()
                                .filter(each -> !isInTrial(each))
                                .map(TrialReader::fullName)
                                .toList());
            }
            case ClusterState.NotMade _, ClusterState.NoContext _, ClusterState.Silent _ ->
                    new DownFacts(tools, cluster, List.of(), List.of());
        };
    }

    /** Whether this program has made a cluster for a trial. */
    boolean hasMade(Maker maker) {
        Outcome listed = quick(maker.listing());
        return listed.succeeded() && Maker.hasCluster(listed.out());
    }

    /** The current context of the kubeconfig. */
    Optional<String> currentContext() {
        Outcome current = quick(List.of("kubectl", "config", "current-context"));
        return Optional.of(current.out().strip())
                .filter(name -> current.succeeded() && !name.isEmpty());
    }

    private Facts.Tools tools(ClusterChoice choice) {
        return new Facts.Tools(
                Kubectl.json(quick(List.of("kubectl", "version", "--client", "-o", "json")).out())
                        .flatMap(
                                it ->
                                        ToolVersion.read(
                                                it.at("/clientVersion/gitVersion").asText())),
                ToolVersion.read(
                        quick(List.of("helm", "version", "--template", "{{.Version}}")).out()),
                choice.maker().map(maker -> quick(maker.listing()).succeeded()).orElse(true));
    }

    private ChartState chart(Optional<ChartReference> chart, Facts.Tools tools) {
        if (chart.isEmpty()) {
            return new ChartState.Unnamed();
        }
        if (tools.helm().isEmpty()) {
            return new ChartState.Unknown();
        }
        ChartReference reference = chart.get();
        Outcome shown =
                programs.run(
                        new Call(
                                Stream.concat(
                                                Stream.of("helm", "show", "chart"),
                                                reference.arguments().stream())
                                        .toList(),
                                "",
                                DOWNLOAD));
        if (!shown.succeeded()) {
            return new ChartState.Unreadable(reference.reference(), shown.complaint());
        }
        try {
            JsonNode read = YAML.readTree(shown.out());
            return new ChartState.Known(
                    read.path("name").asText(),
                    read.path("version").asText(),
                    oldest(read.path("kubeVersion").asText()));
        } catch (IOException unreadable) {
            return new ChartState.Unreadable(reference.reference(), "its Chart.yaml is not YAML");
        }
    }

    /** Of {@code >=1.30.0-0}. Helm checks whatever else a chart may say. */
    private static Optional<ToolVersion> oldest(String kubeVersion) {
        return kubeVersion.startsWith(">=")
                ? ToolVersion.read(kubeVersion.substring(2))
                : Optional.empty();
    }

    private ClusterState cluster(ClusterChoice choice, Facts.Tools tools, String namespace) {
        if (tools.kubectl().isEmpty()) {
            return choice.maker()
                    .<ClusterState>map(ClusterState.NotMade::new)
                    .orElseGet(ClusterState.NoContext::new);
        }
        Optional<Maker> maker = choice.maker();
        if (maker.isPresent() && !hasMade(maker.get())) {
            return new ClusterState.NotMade(maker.get());
        }
        return maker.map(Maker::context)
                .or(this::currentContext)
                .map(context -> answering(new Kubectl(programs, context), namespace))
                .orElseGet(ClusterState.NoContext::new);
    }

    private ClusterState answering(Kubectl kubectl, String namespace) {
        Outcome version = kubectl.run("version", "-o", "json");
        Optional<ToolVersion> kubernetes =
                Kubectl.json(version.out())
                        .flatMap(
                                it ->
                                        ToolVersion.read(
                                                it.at("/serverVersion/gitVersion").asText()));
        if (!version.succeeded() || kubernetes.isEmpty()) {
            return new ClusterState.Silent(kubectl.context(), version.complaint());
        }
        Optional<Trial> trial = trial(kubectl);
        String home = trial.map(Trial::namespace).orElse(namespace);
        Presence release = presence(kubectl, home);
        return new Answers(
                kubectl.context(),
                kubernetes.get(),
                may(kubectl, "customresourcedefinitions.apiextensions.k8s.io")
                        && may(kubectl, "clusterroles.rbac.authorization.k8s.io"),
                hasStorage(kubectl),
                trial,
                operators(kubectl, trial),
                crds(kubectl),
                presence(kubectl, Trial.NAME),
                release,
                release == Presence.OWN ? release(kubectl, home) : Optional.empty());
    }

    private static Optional<Trial> trial(Kubectl kubectl) {
        JsonNode record =
                kubectl.read(
                        "get",
                        "configmap",
                        Trial.NAME,
                        "-n",
                        Trial.NAME,
                        "--ignore-not-found",
                        "-o",
                        "json");
        String cluster = record.at("/data/" + Trial.CLUSTER).asText();
        String namespace = record.at("/data/" + Trial.RELEASE_NAMESPACE).asText();
        if (!isOwn(record)) {
            return Optional.empty();
        }
        return Stream.of(ClusterChoice.values())
                .filter(choice -> choice.word().equals(cluster))
                .findFirst()
                .map(choice -> new Trial(choice, namespace, created(record)));
    }

    private static boolean may(Kubectl kubectl, String resource) {
        return kubectl.run("auth", "can-i", "create", resource).out().strip().equals("yes");
    }

    private static boolean hasStorage(Kubectl kubectl) {
        return Kubectl.items(kubectl.read("get", "storageclass", "-o", "json"))
                .map(each -> each.at("/metadata/annotations").path(DEFAULT_CLASS).asText())
                .anyMatch("true"::equals);
    }

    private static List<Operator> operators(Kubectl kubectl, Optional<Trial> trial) {
        return Kubectl.items(
                        kubectl.read(
                                "get",
                                "deployments",
                                "-A",
                                "-l",
                                "app.kubernetes.io/name in (sluice,flink-kubernetes-operator)",
                                "-o",
                                "json"))
                .map(
                        each ->
                                new Operator(
                                        each.at("/metadata/labels")
                                                .path("app.kubernetes.io/name")
                                                .asText(),
                                        namespace(each)))
                .filter(
                        each ->
                                trial.filter(own -> own.namespace().equals(each.namespace()))
                                        .isEmpty())
                .distinct()
                .toList();
    }

    private static List<Crd> crds(Kubectl kubectl) {
        String[] arguments =
                Stream.of(
                                Stream.of("get", "crd"),
                                CRDS.stream(),
                                Stream.of("--ignore-not-found", "-o", "json"))
                        .flatMap(each -> each)
                        .toArray(String[]::new);
        return Kubectl.items(kubectl.read(arguments))
                .map(each -> new Crd(each.at("/metadata/name").asText(), created(each)))
                .toList();
    }

    private static Presence presence(Kubectl kubectl, String namespace) {
        JsonNode found =
                kubectl.read("get", "namespace", namespace, "--ignore-not-found", "-o", "json");
        if (found.isMissingNode()) {
            return Presence.ABSENT;
        }
        return isOwn(found) ? Presence.OWN : Presence.FOREIGN;
    }

    private Optional<String> release(Kubectl kubectl, String namespace) {
        Outcome status =
                quick(
                        List.of(
                                "helm",
                                "--kube-context",
                                kubectl.context(),
                                "status",
                                Trial.RELEASE,
                                "-n",
                                namespace,
                                "-o",
                                "json"));
        return Kubectl.json(status.out())
                .map(it -> it.at("/info/status").asText())
                .filter(state -> status.succeeded() && !state.isEmpty());
    }

    private List<JsonNode> resources(Answers answers) {
        String kinds =
                answers.crds().stream().map(Crd::name).reduce((a, b) -> a + "," + b).orElse("");
        if (kinds.isEmpty()) {
            return List.of();
        }
        var kubectl = new Kubectl(programs, answers.context());
        return Kubectl.items(kubectl.read("get", kinds, "-A", "-o", "json")).toList();
    }

    /** What a resource owns goes with it. */
    private static boolean isGuest(JsonNode resource) {
        return isInTrial(resource)
                && !isOwn(resource)
                && !isOfOperator(resource)
                && resource.at("/metadata/ownerReferences").isEmpty();
    }

    /**
     * The operator registers the savepoint of a stop as a FlinkStateSnapshot, which has no owner.
     */
    private static boolean isOfOperator(JsonNode resource) {
        String trigger =
                resource.at("/metadata/labels")
                        .path(FlinkStateSnapshot.TRIGGER_TYPE_LABEL)
                        .asText();
        return resource.path("kind").asText().equals(ResourceKind.FLINK_STATE_SNAPSHOT.wire())
                && (trigger.equals(TriggerType.UPGRADE.wire())
                        || trigger.equals(TriggerType.PERIODIC.wire()));
    }

    private static boolean isInTrial(JsonNode resource) {
        return namespace(resource).equals(Trial.NAME);
    }

    private static boolean isOwn(JsonNode object) {
        return object.at("/metadata/labels").path(Trial.LABEL).asText().equals(Trial.NAME);
    }

    private static Instant created(JsonNode object) {
        return Instant.parse(object.at("/metadata/creationTimestamp").asText());
    }

    private static String name(JsonNode object) {
        return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
    }

    private static String fullName(JsonNode object) {
        return object.path("kind").asText()
                + " "
                + namespace(object)
                + "/"
                + object.at("/metadata/name").asText();
    }

    private static String namespace(JsonNode object) {
        return object.at("/metadata/namespace").asText();
    }

    private static boolean isReadable(Path file) {
        return Files.isReadable(file) && !Files.isDirectory(file);
    }

    private Outcome quick(List<String> command) {
        return programs.run(new Call(command, "", LIMIT));
    }
}
