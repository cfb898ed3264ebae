// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.RequestedSnapshot;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.SnapshotCreations;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests for savepoints and checkpoints that FlinkStateSnapshots carry, with {@code
 * kubernetes.operator.snapshot.resource.enabled} (docs/contract/snapshots.md, section 2). The
 * snapshot's own reconciliation asks Flink; the job follows what it has requested until it is at
 * rest.
 *
 * <pre>
 *   due ─▶ its name recorded, created ─▶ seen: a nonce counts as done ─▶ complete or failed: told
 *   stopped with a savepoint ─▶ its name and path recorded, created ─▶ seen: done with
 * </pre>
 *
 * The name contains the time that is recorded, so that a repeated creation makes no second one.
 * What the job was stopped with is given up only if the API server still refuses it: an operator
 * that comes back late has not tried yet.
 */
public final class SnapshotRequests {
    private SnapshotRequests() {}

    /** Whether the next request of the job is a FlinkStateSnapshot. */
    static boolean areUsed(StepContext context) {
        return context.observed().run().snapshots().areServed()
                && options(context).get(SnapshotOptions.RESOURCE_ENABLED);
    }

    /** These options take effect at once, without a restart of the job. */
    private static Options options(StepContext context) {
        return new Options(context.effective());
    }

    /** Whether Flink makes a savepoint or checkpoint for a FlinkStateSnapshot of the job. */
    static boolean areInProgress(StepContext context) {
        boolean isOwn =
                StateTriggers.log(context, StateKind.SAVEPOINT)
                        .trigger()
                        .flatMap(StateTrigger::snapshot)
                        .map(it -> context.observed().run().snapshots().of(it.name()))
                        .filter(SnapshotView.InProgress.class::isInstance)
                        .isPresent();
        return isOwn || !context.observed().run().snapshots().inProgress().isEmpty();
    }

    /** What is due is recorded; {@link #withCreations} creates it. */
    static RunningJob recorded(RunningJob runningJob, StateKind kind, StateTrigger due) {
        StepContext context = runningJob.context();
        Optional<String> folder =
                switch (kind) {
                    case SAVEPOINT -> context.running().savepointFolder();
                    case CHECKPOINT -> Optional.empty();
                };
        return runningJob
                .withContext(requesting(context, kind, due.withTries(1), folder))
                .within(context.soon());
    }

    /**
     * The job was stopped with a savepoint, which a FlinkStateSnapshot registers, if they are used.
     */
    public static StepContext withSavepointOfStop(StepContext context, String location) {
        if (!areUsed(context)) {
            return context;
        }
        Instant now = context.observed().now();
        StateTrigger trigger =
                new StateTrigger(
                        Optional.empty(),
                        now,
                        TriggerType.UPGRADE,
                        SavepointOptions.of(context).format().name(),
                        Optional.empty(),
                        1,
                        now);
        return requesting(context, StateKind.SAVEPOINT, trigger, Optional.of(location));
    }

    private static StepContext requesting(
            StepContext context, StateKind kind, StateTrigger trigger, Optional<String> path) {
        RequestedSnapshot snapshot =
                new RequestedSnapshot(
                        SnapshotCreations.name(
                                context.observed().identity().name(),
                                kind,
                                trigger.type(),
                                trigger.since()),
                        path,
                        options(context).get(SnapshotOptions.DISPOSE_ON_DELETE),
                        false);
        return StateTriggers.logging(
                context,
                kind,
                StateTriggers.log(context, kind)
                        .withTrigger(Optional.of(trigger.withSnapshot(Optional.of(snapshot)))));
    }

    /** What has become of the request on record; the job runs. */
    static RunningJob followed(RunningJob runningJob, StateKind kind, StateTrigger trigger) {
        StepContext context = runningJob.context();
        RequestedSnapshot snapshot = trigger.snapshot().orElseThrow();
        RunningJob later = runningJob.within(context.soon());
        if (!context.observed().run().snapshots().areServed()) {
            return later.withContext(without(context, kind));
        }
        if (trigger.isRegistration()) {
            return later;
        }
        return switch (context.observed().run().snapshots().of(snapshot.name())) {
            case SnapshotView.NotRead _ -> later;
            case SnapshotView.Absent _ ->
                    snapshot.isSeen() ? later.withContext(without(context, kind)) : later;
            case SnapshotView.Refused(var message) ->
                    StateTriggers.isLate(context, kind, trigger)
                            ? later.withContext(
                                    StateTriggers.failed(
                                            context,
                                            kind,
                                            trigger,
                                            "FlinkStateSnapshot "
                                                    + snapshot.name()
                                                    + " could not be created: "
                                                    + message))
                            : later;
            case SnapshotView.Waiting _, SnapshotView.InProgress _ ->
                    later.withContext(seen(context, kind, trigger));
            case SnapshotView.Complete(var path) ->
                    later.withContext(made(context, kind, trigger, path));
            case SnapshotView.Failed(var message) ->
                    later.withContext(StateTriggers.failed(context, kind, trigger, message));
        };
    }

    /**
     * The decision with the creations of the snapshots that its status has on record and that do
     * not exist, and without those of stops that exist. Whatever else is decided, also while the
     * job does not run.
     */
    public static Decision withCreations(ObservedState observed, Decision decision) {
        Decision next = decision;
        for (StateKind kind : StateKind.values()) {
            Optional<StateTrigger> trigger =
                    next.status()
                            .jobStatus()
                            .log()
                            .of(kind)
                            .trigger()
                            .filter(it -> it.snapshot().filter(one -> !one.isSeen()).isPresent());
            if (trigger.isPresent()) {
                next = withCreation(observed, next, kind, trigger.get());
            }
        }
        return next;
    }

    private static StepContext seen(StepContext context, StateKind kind, StateTrigger trigger) {
        StateTrigger seen = trigger.withSnapshot(trigger.snapshot().map(RequestedSnapshot::seen));
        return StateTriggers.counting(
                StateTriggers.logging(
                        context,
                        kind,
                        StateTriggers.log(context, kind).withTrigger(Optional.of(seen))),
                kind,
                trigger);
    }

    /** The snapshot has where it is; the job's status keeps no track of it. */
    private static StepContext made(
            StepContext context, StateKind kind, StateTrigger trigger, Optional<String> path) {
        StepContext done =
                StateTriggers.logging(
                        context, kind, StateTriggers.log(context, kind).madeElsewhere());
        return StateTriggers.withMadeEvent(
                StateTriggers.counting(done, kind, trigger),
                kind,
                trigger,
                path.filter(it -> !it.isEmpty()).map(it -> ": " + it).orElse("")
                        + ", as FlinkStateSnapshot "
                        + trigger.snapshot().map(RequestedSnapshot::name).orElse(""));
    }

    /** Somebody has deleted it, or the operator serves none any more. */
    private static StepContext without(StepContext context, StateKind kind) {
        return StateTriggers.logging(
                context, kind, StateTriggers.log(context, kind).withTrigger(Optional.empty()));
    }

    private static Decision withCreation(
            ObservedState observed, Decision decision, StateKind kind, StateTrigger trigger) {
        RequestedSnapshot snapshot = trigger.snapshot().orElseThrow();
        SnapshotView view = observed.run().snapshots().of(snapshot.name());
        if (view.exists()) {
            return trigger.isRegistration() ? without(decision, kind) : decision;
        }
        boolean isUseless = observed.identity().deleting() && !trigger.isRegistration();
        if (isUseless || !observed.run().snapshots().areServed()) {
            return without(decision, kind);
        }
        boolean isLate =
                trigger.isRegistration()
                        && observed.now()
                                .isAfter(trigger.since().plus(SnapshotCreations.REGISTERED_WITHIN));
        if (isLate && view instanceof SnapshotView.Refused(var why)) {
            return notRegistered(without(decision, kind), snapshot, why);
        }
        Action creation =
                new Action.CreateSnapshot(
                        snapshot.name(),
                        trigger.type(),
                        spec(observed, kind, trigger, snapshot),
                        SnapshotCreations.inheritedLabels(observed.defaults().own()));
        return decision.withActions(with(creation, decision.actions()))
                .within(observed.polls().progress());
    }

    private static Decision without(Decision decision, StateKind kind) {
        FlinkDeploymentStatus status = decision.status();
        JobLog log = status.jobStatus().log();
        StateLog rest = log.of(kind).withTrigger(Optional.empty());
        return decision.withStatus(
                status.withJobStatus(status.jobStatus().withLog(log.with(kind, rest))));
    }

    private static Decision notRegistered(
            Decision decision, RequestedSnapshot snapshot, String why) {
        List<ResourceEvent> events = new ArrayList<>(decision.notes());
        events.add(
                ResourceEvent.of(
                        "Operator",
                        OperatorEvent.SAVEPOINT_ERROR,
                        snapshot.name(),
                        "The savepoint "
                                + snapshot.path().orElse("")
                                + ", with which the job was stopped, has no FlinkStateSnapshot: "
                                + snapshot.name()
                                + " could not be created: "
                                + why
                                + ". The savepoint itself is complete; create a FlinkStateSnapshot"
                                + " with spec.savepoint.alreadyExists to register it"));
        return decision.withNotes(events);
    }

    /** Nothing is created after the resource was let go. */
    private static List<Action> with(Action creation, List<Action> actions) {
        List<Action> all = new ArrayList<>(actions);
        boolean isLast = actions.stream().noneMatch(Action.Release.class::isInstance);
        all.add(isLast ? all.size() : 0, creation);
        return all;
    }

    private static FlinkStateSnapshotSpec spec(
            ObservedState observed,
            StateKind kind,
            StateTrigger trigger,
            RequestedSnapshot snapshot) {
        JobReference job =
                new JobReference(
                        Optional.of(
                                observed.target() instanceof Target.SessionJob
                                        ? ResourceKind.FLINK_SESSION_JOB
                                        : ResourceKind.FLINK_DEPLOYMENT),
                        Optional.of(observed.identity().name()));
        return switch (kind) {
            case SAVEPOINT ->
                    SnapshotCreations.ofSavepoint(
                            job,
                            new SavepointSpec(
                                    snapshot.path(),
                                    trigger.format().equals(SavepointFormat.NATIVE.name())
                                            ? SavepointFormat.NATIVE
                                            : SavepointFormat.CANONICAL,
                                    snapshot.disposesOnDelete(),
                                    trigger.isRegistration()));
            case CHECKPOINT -> SnapshotCreations.ofCheckpoint(job);
        };
    }
}
