// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.TaskManagerStatus;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Renders the status of a decision: lifecycle, conditions and error all follow from the draft and
 * the typed reason.
 */
public final class StatusRenderer {

    private StatusRenderer() {}

    static FlinkDeploymentStatus status(StepContext context, Reason reason, String detail) {
        ObservedState observed = context.observed();
        StatusDraft draft = context.draft();
        FlinkDeploymentStatus bare =
                new FlinkDeploymentStatus(
                        context.isSessionCluster() ? JobStatus.EMPTY : draft.job(),
                        error(reason, detail),
                        Optional.of(observed.identity().generation()),
                        Optional.of(lifecycle(context, reason)),
                        ClusterInfo.of(context),
                        draft.jobManager(),
                        draft.reconciliation(),
                        taskManager(context, draft),
                        draft.attempt(),
                        draft.lastUpgrade(),
                        List.of());
        return withConditions(bare, observed, reason, detail);
    }

    /** {@code status} with {@code reason} as what is said of it. */
    public static FlinkDeploymentStatus objecting(
            FlinkDeploymentStatus status, ObservedState observed, Reason reason, String detail) {
        FlinkDeploymentStatus bare =
                status.with()
                        .error(error(reason, detail))
                        .lifecycleState(objecting(status, reason))
                        .conditions(List.of())
                        .build();
        return withConditions(bare, observed, reason, detail);
    }

    /** What is said on top may be that nothing runs any more, and nothing will by itself. */
    private static Optional<LifecycleState> objecting(FlinkDeploymentStatus status, Reason reason) {
        boolean down =
                status.jobManagerDeploymentStatus() == JobManagerDeploymentState.MISSING
                        || status.jobManagerDeploymentStatus() == JobManagerDeploymentState.ERROR;
        return status.lifecycleState()
                .map(
                        state ->
                                switch (state) {
                                    case DEPLOYED, STABLE, ROLLED_BACK ->
                                            down && reason.failsTheResource()
                                                    ? LifecycleState.FAILED
                                                    : state;
                                    case CREATED,
                                            SUSPENDED,
                                            UPGRADING,
                                            ROLLING_BACK,
                                            FAILED,
                                            DELETING,
                                            DELETED ->
                                            state;
                                });
    }

    private static LifecycleState lifecycle(StepContext context, Reason reason) {
        StatusDraft draft = context.draft();
        if (context.observed().identity().deleting()) {
            return reason == Reason.DELETED ? LifecycleState.DELETED : LifecycleState.DELETING;
        }
        if (draft.reconciliation().lastReconciledSpec().isEmpty()) {
            return reason.outlook() == Reason.Outlook.STALLED
                    ? LifecycleState.FAILED
                    : LifecycleState.CREATED;
        }
        return switch (draft.reconciliation().state()) {
            case UPGRADING -> LifecycleState.UPGRADING;
            case ROLLING_BACK -> LifecycleState.ROLLING_BACK;
            case DEPLOYED, ROLLED_BACK -> settled(context, reason);
        };
    }

    private static LifecycleState settled(StepContext context, Reason reason) {
        StatusDraft draft = context.draft();
        if (context.spec().job().map(JobSpec::state).orElse(DesiredJobState.RUNNING)
                == DesiredJobState.SUSPENDED) {
            return LifecycleState.SUSPENDED;
        }
        if (reason.failsTheResource() || draft.job().state().equals(Optional.of(JobState.FAILED))) {
            return LifecycleState.FAILED;
        }
        if (draft.reconciliation().state() == ReconciliationState.ROLLED_BACK) {
            return LifecycleState.ROLLED_BACK;
        }
        return draft.reconciliation().isStable() ? LifecycleState.STABLE : LifecycleState.DEPLOYED;
    }

    private static TaskManagerStatus taskManager(StepContext context, StatusDraft draft) {
        boolean runs = context.spec().job().isPresent() && context.isDesiredRunning();
        if (!runs || draft.reconciliation().lastReconciledSpec().isEmpty()) {
            return TaskManagerStatus.NONE;
        }
        int slots = slots(context);
        int parallelism = context.spec().job().flatMap(JobSpec::parallelism).orElse(1);
        int replicas =
                context.spec().taskManager().replicas().orElse(Math.ceilDiv(parallelism, slots));
        return new TaskManagerStatus(
                "component=taskmanager,app=" + context.observed().identity().name(), replicas);
    }

    private static int slots(StepContext context) {
        return Math.max(1, new Options(context.effective()).get(FlinkOptions.TASK_SLOTS));
    }

    private static Optional<String> error(Reason reason, String detail) {
        if (reason.outlook() != Reason.Outlook.STALLED) {
            return Optional.empty();
        }
        return Optional.of(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("type", reason.wire())
                        .put("message", Conditions.message(reason, detail))
                        .toString());
    }

    private static FlinkDeploymentStatus withConditions(
            FlinkDeploymentStatus bare, ObservedState observed, Reason reason, String detail) {
        String message = Conditions.message(reason, detail);
        List<Condition> conditions = new ArrayList<>();
        conditions.add(running(bare, observed));
        conditions.add(condition(observed, "Ready", reason.isAsAsked(), reason.wire(), message));
        conditions.add(
                condition(
                        observed,
                        "Reconciling",
                        reason.outlook() == Reason.Outlook.PROGRESSING,
                        reason.wire(),
                        message));
        conditions.add(
                condition(
                        observed,
                        "Stalled",
                        reason.outlook() == Reason.Outlook.STALLED,
                        reason.wire(),
                        message));
        observed.hold()
                .map(
                        hold ->
                                condition(
                                        observed,
                                        "ScalingHeld",
                                        true,
                                        hold.reason(),
                                        Conditions.shortened(hold.message())))
                .ifPresent(conditions::add);
        return bare.withConditions(conditions);
    }

    /** The one condition the Apache operator knows: its reason is the job's state. */
    private static Condition running(FlinkDeploymentStatus status, ObservedState observed) {
        if (observed.target() instanceof Target.SessionCluster) {
            return clusterRunning(status, observed);
        }
        Optional<JobState> state = status.jobStatus().state();
        boolean isRunning = state.equals(Optional.of(JobState.RUNNING));
        String word = state.map(known -> camelCase(known.wire())).orElse("Unknown");
        boolean missing =
                state.isEmpty()
                        && status.jobManagerDeploymentStatus() == JobManagerDeploymentState.MISSING;
        return condition(
                observed,
                "Running",
                isRunning,
                missing ? "JobManagerDeploymentMissing" : word,
                "Job state " + state.map(JobState::wire).orElse("is not known"));
    }

    /** The reason of a session cluster's condition is the state of its JobManager. */
    private static Condition clusterRunning(FlinkDeploymentStatus status, ObservedState observed) {
        JobManagerDeploymentState state = status.jobManagerDeploymentStatus();
        String word =
                switch (state) {
                    case READY -> "JobManagerReady";
                    case DEPLOYED_NOT_READY -> "DeployedNotReady";
                    case DEPLOYING -> "JobManagerIsDeploying";
                    case MISSING -> "JobManagerDeploymentMissing";
                    case ERROR -> "Error";
                };
        return condition(
                observed,
                "Running",
                state == JobManagerDeploymentState.READY,
                word,
                "JobManager deployment " + state.wire());
    }

    private static Condition condition(
            ObservedState observed, String type, boolean holds, String reason, String message) {
        return new Conditions(
                        observed.status().conditions(),
                        observed.identity().generation(),
                        observed.now())
                .of(type, holds, reason, message);
    }

    private static String camelCase(String word) {
        return word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
