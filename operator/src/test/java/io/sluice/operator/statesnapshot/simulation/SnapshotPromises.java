// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.testkit.apiserver.ApiCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the operator promises of snapshots (docs/contract/snapshots.md, sections 9 to 13). What is
 * true is what the simulated world has, and never what a status says:
 *
 * <ul>
 *   <li>Flink begins a second savepoint of a snapshot only if it can't tell of the first one any
 *       more, has told that it failed, or was asked and has not answered, and another job runs.
 *   <li>A snapshot is complete only if Flink has written it, and where Flink says.
 *   <li>A failure is what Flink has said, or that it has said six times that it knows nothing.
 *   <li>{@code spec.backoffLimit}, the pauses, and three restarts of the job are never exceeded.
 *   <li>A snapshot is abandoned only if its job does not run, or has not answered.
 *   <li>Files are deleted only with their own snapshot, if that asks for it, and if no job needs
 *       them; files that stay behind are told of.
 *   <li>Retention leaves what is in progress, the newest complete one, and as many as it may.
 * </ul>
 */
final class SnapshotPromises {
    private static final Duration JOB_WAIT = Duration.ofMinutes(10);
    private static final int RETAINED = 2;
    private static final Set<String> AT_REST = Set.of("COMPLETED", "FAILED", "ABANDONED");
    private static final String FINALIZER = "flinkstatesnapshots.flink.apache.org/finalizer";

    private final SnapshotWorld world;
    private final Map<String, SeenSnapshot> snapshots = new HashMap<>();

    /** Those that the operator knows to be deleted, or deletes itself. */
    private final Set<String> leaving = new HashSet<>();

    private Optional<String> violation = Optional.empty();
    private String uid = "";
    private String name = "";
    private boolean isSilent;
    private boolean isUnanswered;
    private boolean hasFailed;
    private Optional<String> left = Optional.empty();

    SnapshotPromises(SnapshotWorld world) {
        this.world = world;
    }

    void violated(String problem) {
        violation = violation.or(() -> Optional.of(problem));
    }

    Optional<String> violation() {
        return violation;
    }

    private SeenSnapshot seen(String of) {
        return snapshots.computeIfAbsent(of, _ -> new SeenSnapshot());
    }

    /** The uid of the snapshot that the operator is at. */
    String reconciled() {
        return uid;
    }

    void beginPass(FlinkStateSnapshot resource) {
        uid = resource.getMetadata().getUid();
        name = resource.getMetadata().getName();
        isSilent = false;
        isUnanswered = false;
        hasFailed = false;
        left = Optional.empty();
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            leaving.add(uid);
        }
    }

    void endPass() {
        left.filter(text -> !seen(uid).hasTold(text))
                .ifPresent(text -> violated(name + " is gone, and nobody was told of " + text));
    }

    /** A JobManager does not answer. */
    void silent() {
        isSilent = true;
    }

    /** A JobManager does not say what has come of the request. */
    void unanswered() {
        isUnanswered = true;
    }

    void records(List<ResourceEvent> events) {
        events.forEach(event -> seen(uid).tells(event.message()));
    }

    /** The operator is told what has come of a request; empty if Flink does not know it. */
    void told(Optional<SnapshotTry> asked) {
        asked.filter(each -> each.progress() == SnapshotTry.Progress.FAILED)
                .ifPresent(
                        each -> {
                            hasFailed = true;
                            seen(uid).hears(each.triggerId(), restarts(each), world.now());
                        });
        if (asked.isEmpty()) {
            seen(uid).unknown();
        }
    }

    /** Nobody can tell of a job whose JobManager is silent, or which its own operator stops. */
    private Optional<Boolean> restarts(SnapshotTry asked) {
        boolean isClear =
                switch (world.job().phase()) {
                    case DEPLOYING, RECOVERING, STARTING, RUNNING, RESTARTING, ENDING -> true;
                    case ABSENT, STOPPING, SUSPENDED, ENDED, LEAVING -> false;
                };
        return isSilent || !isClear ? Optional.empty() : Optional.of(asked.hasRestartedJob());
    }

    /** The operator asks for a snapshot, whether the request arrives or not. */
    void asks(String triggerId) {
        int limit = specOf(name).path("backoffLimit").asInt(-1);
        seen(uid)
                .objection(triggerId, limit, world.now())
                .ifPresent(problem -> violated(name + ": " + problem));
        world.snapshot(name)
                .filter(it -> isDisposed(it.getSpec()))
                .map(FlinkStateSnapshot::getMetadata)
                .filter(it -> it.getUid().equals(uid) && it.getDeletionTimestamp() == null)
                .filter(it -> !it.getFinalizers().contains(FINALIZER))
                .ifPresent(_ -> violated(name + " is asked for, and could be deleted meanwhile"));
    }

    private JsonNode specOf(String of) {
        return world.snapshot(of)
                .<JsonNode>map(FlinkStateSnapshot::getSpec)
                .orElseGet(MissingNode::getInstance);
    }

    /**
     * Flink takes a request up.
     *
     * @param known what the same process still knows of
     */
    void begins(SnapshotTry begun, Collection<SnapshotTry> known) {
        known.stream()
                .filter(each -> each.snapshot().equals(begun.snapshot()))
                .filter(each -> !isOver(each, begun))
                .forEach(
                        each ->
                                violated(
                                        "Flink begins %s although it has %s for the same snapshot"
                                                .formatted(begun, each)));
    }

    private static boolean isOver(SnapshotTry former, SnapshotTry begun) {
        return switch (former.progress()) {
            case PENDING -> false;
            case FAILED -> true;
            case COMPLETED -> !former.jobId().equals(begun.jobId()) && former.isUnanswered();
        };
    }

    /** The operator asks for the deletion of a savepoint. */
    void disposes(String path) {
        Optional<FlinkStateSnapshot> snapshot = world.snapshot(name);
        boolean isOwn =
                world.files().wasWrittenBy(uid, path)
                        || world.registered(uid).equals(Optional.of(path));
        boolean isAskedFor =
                snapshot.map(FlinkStateSnapshot::getMetadata)
                                .filter(it -> it.getUid().equals(uid))
                                .map(ObjectMeta::getDeletionTimestamp)
                                .isPresent()
                        && specOf(name).at("/savepoint/disposeOnDelete").asBoolean(true);
        if (!isOwn || !isAskedFor) {
            violated(name + " is not to have " + path + " deleted");
        }
        if (world.isNeeded(path)) {
            violated(path + " is deleted although a job needs it");
        }
    }

    /**
     * The operator writes.
     *
     * @param object as it is to be stored
     * @param known all snapshots that it knows to be there
     */
    void writes(ApiCall call, ObjectNode object, List<FlinkStateSnapshot> known) {
        switch (call.verb()) {
            case UPDATE -> stores(object);
            case PATCH -> marks(object);
            case DELETE -> retains(object, known);
            case GET, LIST, WATCH, CREATE, DELETECOLLECTION -> {}
        }
    }

    /** A status arrives whose writer has given up. */
    void writesLate(ObjectNode object) {
        SeenSnapshot seen = seen(object.at("/metadata/uid").asText());
        JsonNode status = object.path("status");
        int failures = status.path("failures").asInt();
        if (failures > seen.counted()) {
            seen.recordsFailure();
        }
        String state = status.path("state").asText();
        if (state.equals("IN_PROGRESS") && status.path("triggerId").isTextual()) {
            begins(object, seen);
        }
        seen.stores(state, status.path("path").asText(""), failures);
    }

    private void stores(ObjectNode object) {
        SeenSnapshot seen = seen(uid);
        if (hasFailed) {
            seen.recordsFailure();
        }
        String state = object.at("/status/state").asText();
        String path = object.at("/status/path").asText("");
        int failures = object.at("/status/failures").asInt();
        if (failures > seen.mostFailures()) {
            violated(name + " counts a failure that Flink has not told");
        }
        if (failures < seen.counted()) {
            violated(name + " forgets a failure");
        }
        if (!state.equals(seen.state())) {
            moves(object, seen, state, path);
        } else if (AT_REST.contains(state) && !path.equals(seen.path())) {
            violated(name + " moves from " + seen.path() + " to " + path);
        }
        if (state.equals("IN_PROGRESS") && object.at("/status/triggerId").isTextual()) {
            begins(object, seen);
        }
        seen.stores(state, path, failures);
    }

    private void moves(ObjectNode object, SeenSnapshot seen, String state, String path) {
        boolean isFinal =
                switch (seen.state()) {
                    case "COMPLETED", "ABANDONED" -> true;
                    case "FAILED" -> !state.equals("TRIGGER_PENDING");
                    default -> false;
                };
        if (isFinal) {
            violated(name + " was " + seen.state() + " and is " + state);
        }
        switch (state) {
            case "COMPLETED" -> completes(object, path);
            case "ABANDONED" -> abandons(object, seen);
            case "IN_PROGRESS" -> seen.begins(world.now());
            default -> {}
        }
    }

    /** A try begins with its record: a limit that is lowered afterwards concerns the next one. */
    private void begins(JsonNode object, SeenSnapshot seen) {
        seen.objection(
                        object.at("/status/triggerId").asText(),
                        object.at("/spec/backoffLimit").asInt(-1),
                        world.now())
                .ifPresent(
                        problem -> violated(object.at("/metadata/name").asText() + ": " + problem));
    }

    private void completes(ObjectNode object, String path) {
        boolean isReal =
                world.registered(uid).isPresent()
                        ? world.registered(uid).equals(Optional.of(path))
                        : world.files().wasWrittenBy(uid, path)
                                || (isCheckpoint(object)
                                        && path.isEmpty()
                                        && world.files().hasWritten(uid));
        if (!isReal) {
            violated(name + " is complete at '" + path + "', where Flink has not written it");
        }
    }

    private static boolean isCheckpoint(JsonNode object) {
        return object.at("/spec/checkpoint").isObject();
    }

    private void abandons(ObjectNode object, SeenSnapshot seen) {
        boolean isOfJob = isOfJob(object);
        if (isOfJob && world.job().isUp() && !isSilent) {
            violated(name + " is abandoned while its job runs");
        }
        String triggerId = object.at("/status/triggerId").asText("");
        boolean isKnown =
                world.job().process().stream()
                        .flatMap(process -> process.tries().stream())
                        .filter(each -> each.triggerId().equals(triggerId))
                        .anyMatch(each -> each.progress() != SnapshotTry.Progress.FAILED);
        boolean canBeAsked = world.job().phase() != SimulatedSnapshotJob.Phase.ABSENT;
        if (seen.state().equals("IN_PROGRESS") && canBeAsked && isKnown && !isSilent) {
            violated(name + " is abandoned although Flink has it");
        }
        boolean isHasty = world.now().isBefore(seen.begun().plus(JOB_WAIT));
        if (seen.state().equals("IN_PROGRESS") && isUnanswered && isHasty) {
            violated(name + " is abandoned because Flink was silent for a moment");
        }
        Instant created = Instant.parse(object.at("/metadata/creationTimestamp").asText());
        boolean isEarly = world.now().isBefore(created.plus(JOB_WAIT));
        if (isEarly && !(isOfJob && world.job().isOver())) {
            violated(name + " is abandoned before its job could have come up");
        }
    }

    private static boolean isOfJob(JsonNode object) {
        return object.at("/spec/jobReference/name").asText().equals(SimulatedSnapshotJob.NAME);
    }

    /** Lets it go, or not. */
    private void marks(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        for (JsonNode finalizer : metadata.path("finalizers")) {
            if (finalizer.asText().equals(FINALIZER)) {
                return;
            }
        }
        if (metadata.has("deletionTimestamp") && isDisposed(object.path("spec"))) {
            left =
                    remains(uid, object.at("/status/path").asText(""))
                            .filter(text -> !seen(uid).hasTold(text));
        }
    }

    /** Whether its files are to go with it. */
    private static boolean isDisposed(JsonNode spec) {
        return spec.has("savepoint") && spec.at("/savepoint/disposeOnDelete").asBoolean(true);
    }

    /** A snapshot was deleted that nothing has held. */
    void vanished(FlinkStateSnapshot snapshot) {
        ObjectMeta metadata = snapshot.getMetadata();
        remains(metadata.getUid(), seen(metadata.getUid()).path())
                .ifPresent(
                        text ->
                                violated(
                                        metadata.getName()
                                                + " could be deleted although Flink has "
                                                + text));
    }

    /** The savepoint that stays behind, or the request that Flink still carries out. */
    private Optional<String> remains(String of, String path) {
        return switch (seen(of).state()) {
            case "COMPLETED" -> Optional.of(path).filter(world.files()::isThere);
            case "IN_PROGRESS", "TRIGGER_PENDING" ->
                    world.job().process().stream()
                            .flatMap(process -> process.tries().stream())
                            .filter(each -> each.snapshot().equals(of) && !each.isLate())
                            .filter(each -> each.jobId().equals(world.job().jobId()))
                            .filter(each -> each.progress() != SnapshotTry.Progress.FAILED)
                            .findFirst()
                            .map(SnapshotTry::triggerId);
            default -> Optional.empty();
        };
    }

    private void retains(ObjectNode victim, List<FlinkStateSnapshot> known) {
        String of = victim.at("/metadata/uid").asText();
        if (!AT_REST.contains(victim.at("/status/state").asText(""))) {
            violated(victim.at("/metadata/name") + " is deleted before it is at rest");
        }
        List<FlinkStateSnapshot> kept =
                known.stream()
                        .filter(each -> isOwn(each) && isSibling(each, victim))
                        .filter(each -> !leaving.contains(each.getMetadata().getUid()))
                        .sorted(
                                Comparator.comparing(
                                                (FlinkStateSnapshot it) ->
                                                        it.getMetadata().getCreationTimestamp())
                                        .thenComparing(it -> it.getMetadata().getName()))
                        .toList();
        boolean isNewest =
                kept.reversed().stream()
                        .map(each -> each.getMetadata().getUid())
                        .filter(each -> seen(each).state().equals("COMPLETED"))
                        .findFirst()
                        .equals(Optional.of(of));
        if (isNewest) {
            violated("the newest complete snapshot is deleted");
        }
        if (leaving.add(of) && kept.size() <= RETAINED) {
            violated("only " + (kept.size() - 1) + " snapshots are kept of " + RETAINED);
        }
    }

    private static boolean isOwn(FlinkStateSnapshot snapshot) {
        return Optional.ofNullable(snapshot.getMetadata().getLabels())
                .map(labels -> labels.get(FlinkStateSnapshot.TRIGGER_TYPE_LABEL))
                .filter(type -> !type.equals("MANUAL"))
                .isPresent();
    }

    private static boolean isSibling(FlinkStateSnapshot snapshot, ObjectNode victim) {
        return isOfJob(victim)
                && snapshot.getSpec().has("checkpoint") == victim.path("spec").has("checkpoint");
    }
}
