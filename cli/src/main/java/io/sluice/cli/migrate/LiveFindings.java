// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.cli.document.Document;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.jar.JarUri;
import io.sluice.rules.pod.FillIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds what admission does not report of a resource, because it concerns what runs, or what the
 * operator does later.
 */
final class LiveFindings {
    private static final String JAR_RULE = "jar-uri-scheme-allowed";
    private static final String LAST = "status.reconciliationStatus.lastReconciledSpec";
    private static final String STATE = "status.reconciliationStatus.state";
    private static final List<String> TEMPLATES =
            List.of("podTemplate", "jobManager/podTemplate", "taskManager/podTemplate");

    /**
     * The findings about one resource.
     *
     * @param reasons why Sluice does not serve it
     * @param answered rules whose violations the reasons say better
     */
    record Found(List<CheckRemark> reasons, List<CheckRemark> notes, Set<String> answered) {
        Found {
            reasons = List.copyOf(reasons);
            notes = List.copyOf(notes);
            answered = Set.copyOf(answered);
        }

        /** Whether a violation of the rule still has to be told. */
        boolean stands(String rule) {
            return !answered.contains(rule);
        }
    }

    private final Set<String> owners;
    private final DefaultConfiguration configuration;

    /**
     * @param owners the uids of what Flink's Deployments belong to
     */
    LiveFindings(Set<String> owners, DefaultConfiguration configuration) {
        this.owners = owners;
        this.configuration = configuration;
    }

    Found of(Document document) {
        List<CheckRemark> reasons = new ArrayList<>();
        List<CheckRemark> notes = new ArrayList<>();
        Optional<CheckRemark> jar = Optional.empty();
        switch (ResourceKind.WORDS.get(document.kind())) {
            case FLINK_DEPLOYMENT -> {
                status(document, reasons, notes);
                Options effective = effective(document);
                notes.addAll(initContainers(document, effective));
                zooKeeper(effective).ifPresent(notes::add);
            }
            case FLINK_SESSION_JOB -> {
                status(document, reasons, notes);
                jar = jar(document);
                jar.ifPresent(reasons::add);
            }
            case FLINK_STATE_SNAPSHOT ->
                    snapshot(document, ", and Sluice goes on with it.").ifPresent(notes::add);
            case FLINK_BLUE_GREEN_DEPLOYMENT -> {}
            case null -> {}
        }
        deletion(document, "Sluice").ifPresent(notes::add);
        return new Found(reasons, notes, jar.isPresent() ? Set.of(JAR_RULE) : Set.of());
    }

    private void status(Document document, List<CheckRemark> reasons, List<CheckRemark> notes) {
        JsonNode status = document.content().path("status");
        if (status.path("attempt").has("id")) {
            notes.add(
                    new CheckRemark(
                            "served-by-sluice",
                            "status.attempt",
                            "Sluice has written this status, so that it has taken the resource"
                                    + " over already."));
        }
        String encoded = status.at("/reconciliationStatus/lastReconciledSpec").asText("");
        if (encoded.isEmpty()) {
            neverReconciled(document, reasons, notes);
        } else if (ReconciledSpec.decode(encoded).isEmpty()) {
            reasons.add(
                    new CheckRemark(
                            "status-lost",
                            LAST,
                            "It can't be read, so that nothing says what runs for the resource, and"
                                    + " Sluice changes nothing (reason StatusLost). Restore"
                                    + " status.reconciliationStatus from a backup."));
        } else {
            underWay(status).ifPresent(notes::add);
            notCarriedOut(document, ". Sluice carries it out once it is installed.")
                    .ifPresent(notes::add);
        }
    }

    private void neverReconciled(
            Document document, List<CheckRemark> reasons, List<CheckRemark> notes) {
        if (owners.contains(document.content().at("/metadata/uid").asText(""))) {
            reasons.add(
                    new CheckRemark(
                            "status-lost",
                            LAST,
                            "It is missing, although a cluster of the resource stands, so that"
                                    + " Sluice changes nothing (reason StatusLost). Restore"
                                    + " status.reconciliationStatus from a backup."));
        } else if (!runsNothing(document)) {
            notes.add(
                    new CheckRemark(
                            "not-deployed",
                            LAST,
                            "It is missing: the Apache operator has not carried out the resource."
                                    + " Sluice deploys it as a new one."));
        }
    }

    /** Whether no operator ever deploys it: it is a canary, or the template of a cron job. */
    private static boolean runsNothing(Document document) {
        JsonNode metadata = document.content().path("metadata");
        return metadata.path("labels").path(CanaryResources.LABEL).asBoolean(false)
                || metadata.path("annotations").has(CronAnnotations.EXPRESSION);
    }

    private static Optional<CheckRemark> underWay(JsonNode status) {
        String word = status.at("/reconciliationStatus/state").asText("");
        ReconciliationState state = ReconciliationState.WORDS.get(word);
        return switch (state) {
            case UPGRADING ->
                    Optional.of(
                            new CheckRemark(
                                    "upgrade-under-way",
                                    STATE,
                                    "An upgrade is under way, and Sluice finishes it. It is simpler"
                                            + " to wait until the resource is at rest."));
            case ROLLING_BACK ->
                    Optional.of(
                            new CheckRemark(
                                    "rollback-under-way",
                                    STATE,
                                    "A rollback is under way, and Sluice finishes it by a restart"
                                            + " of the job. It is simpler to wait until the"
                                            + " resource is at rest."));
            case ROLLED_BACK ->
                    Optional.of(
                            new CheckRemark(
                                    "rolled-back",
                                    STATE,
                                    "It was rolled back, and Sluice leaves it so until its spec is"
                                            + " edited."));
            case DEPLOYED -> Optional.empty();
            case null -> Optional.empty();
        };
    }

    /**
     * @param next the operator that serves the resource after the migration
     */
    static Optional<CheckRemark> deletion(Document document, String next) {
        return document.content().at("/metadata/deletionTimestamp").isTextual()
                ? Optional.of(
                        new CheckRemark(
                                "deletion-under-way",
                                "metadata.deletionTimestamp",
                                "It is being deleted. Wait until it is gone, or "
                                        + next
                                        + " finishes the deletion."))
                : Optional.empty();
    }

    /**
     * @param then the end of the sentence: what becomes of the edit
     */
    static Optional<CheckRemark> notCarriedOut(Document document, String then) {
        JsonNode observed = document.content().at("/status/observedGeneration");
        JsonNode generation = document.content().at("/metadata/generation");
        return observed.isNumber()
                        && generation.isNumber()
                        && observed.asLong() < generation.asLong()
                ? Optional.of(
                        new CheckRemark(
                                "edit-not-carried-out",
                                "status.observedGeneration",
                                "The last edit was not carried out yet (generation "
                                        + generation.asLong()
                                        + ", observed "
                                        + observed.asLong()
                                        + ")"
                                        + then))
                : Optional.empty();
    }

    /** Admission refuses most of them too, but says nothing of what the operator can fetch. */
    private static Optional<CheckRemark> jar(Document document) {
        String text = document.content().at("/spec/job/jarURI").asText("");
        return JarUri.parse(text)
                .filter(uri -> uri.scheme().isPresent() && !uri.isHttp())
                .map(
                        uri ->
                                new CheckRemark(
                                        JAR_RULE,
                                        "spec.job.jarURI",
                                        uri.isOfThePod()
                                                ? "Sluice reads no file of the operator's own pod."
                                                        + " A job that runs goes on; before its"
                                                        + " next start, publish the jar over"
                                                        + " https."
                                                : "Sluice reads '"
                                                        + uri.scheme().orElse("")
                                                        + ":' with Flink's file systems, which it"
                                                        + " has only with jarFileSystems in the"
                                                        + " values of its chart. Set it before the"
                                                        + " migration, and list the bucket or host"
                                                        + " in allowed-hosts. A job that runs goes"
                                                        + " on."));
    }

    /**
     * @param then the end of the sentence: what becomes of the snapshot
     */
    static Optional<CheckRemark> snapshot(Document document, String then) {
        String word = document.content().at("/status/state").asText("");
        SnapshotState state = SnapshotState.WORDS.get(word);
        return state == SnapshotState.TRIGGER_PENDING || state == SnapshotState.IN_PROGRESS
                ? Optional.of(
                        new CheckRemark(
                                "snapshot-under-way", "status.state", "It is not finished" + then))
                : Optional.empty();
    }

    private static ObjectNode spec(Document document) {
        return document.content().path("spec") instanceof ObjectNode spec
                ? spec
                : JsonNodeFactory.instance.objectNode();
    }

    private Options effective(Document document) {
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(spec(document), "spec").value();
        return new Options(
                configuration.effective(
                        document.namespace(), spec.flinkVersion(), spec.flinkConfiguration()));
    }

    private static Optional<CheckRemark> zooKeeper(Options effective) {
        return effective.usesZooKeeper()
                ? Optional.of(
                        new CheckRemark(
                                "metadata-in-zookeeper",
                                "spec.flinkConfiguration[high-availability.type]",
                                "Sluice does not read ZooKeeper. Before an upgrade it asks the"
                                        + " JobManager for the job's last state, and while that"
                                        + " does not answer an upgrade with state waits."))
                : Optional.empty();
    }

    /** Those that say nothing of their user, and get Flink's. */
    private static List<CheckRemark> initContainers(Document document, Options effective) {
        ObjectNode content = spec(document);
        FillIn fillIn = FillIn.of(effective);
        boolean isFilledIn = fillIn.level() == FillIn.Level.RESTRICTED && fillIn.fixedUser();
        boolean isNamed = TEMPLATES.stream().anyMatch(path -> namesUser(pod(content, path)));
        return isFilledIn && !isNamed
                ? TEMPLATES.stream().flatMap(path -> withoutUser(content, path)).toList()
                : List.of();
    }

    private static Stream<CheckRemark> withoutUser(JsonNode spec, String template) {
        return pod(spec, template)
                .path("initContainers")
                .valueStream()
                .filter(container -> !namesUser(container))
                .map(
                        container ->
                                new CheckRemark(
                                        "init-container-user",
                                        "spec."
                                                + template.replace('/', '.')
                                                + ".spec.initContainers["
                                                + container.path("name").asText("?")
                                                + "]",
                                        "It names no user, and runs as user 9999 from the next"
                                                + " start of the job on. If it has to be root, set"
                                                + " securityContext.runAsUser: 0 and runAsNonRoot:"
                                                + " false for it."));
    }

    private static JsonNode pod(JsonNode spec, String template) {
        return spec.at("/" + template + "/spec");
    }

    private static boolean namesUser(JsonNode podOrContainer) {
        return podOrContainer.path("securityContext").path("runAsUser").isNumber();
    }
}
