// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.Condition.Status;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.model.Reason;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads a FlinkDeployment as a half.
 *
 * @param address where the JobManager of a cluster answers
 */
record HalfReader(Function<FlinkDeployment, URI> address) {
    /** Holds the id of the transition that made or changed a half last. */
    static final String MARK = "sluice.io/transition";

    /** What no time heals: another spec is needed. */
    private static final List<String> FINAL =
            Stream.of(
                            Reason.SPEC_INVALID,
                            Reason.SPEC_REFUSED,
                            Reason.MANIFESTS_REFUSED,
                            Reason.JOB_FAILED,
                            Reason.JOB_CANCELED)
                    .map(Reason::wire)
                    .toList();

    /**
     * The half that {@code found} is.
     *
     * @param found empty if the API server says that there is none
     * @param pair the uid of the pair
     */
    HalfView read(Optional<FlinkDeployment> found, String pair) {
        if (found.isEmpty()) {
            return new HalfView.Absent();
        }
        ObjectMeta metadata = found.get().getMetadata();
        if (!ChildObjects.isOwned(found.get(), pair)) {
            return new HalfView.Foreign(metadata.getUid());
        }
        return metadata.getDeletionTimestamp() == null
                ? half(found.get(), metadata)
                : new HalfView.Leaving(metadata.getUid());
    }

    private HalfView half(FlinkDeployment found, ObjectMeta metadata) {
        ObjectNode raw = orEmpty(found.getSpec());
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(raw, "spec").value();
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(orEmpty(found.getStatus()));
        boolean wantsToRun =
                spec.job().filter(job -> job.state() == DesiredJobState.SUSPENDED).isEmpty();
        boolean isCurrent =
                status.observedGeneration().equals(Optional.ofNullable(metadata.getGeneration()));
        boolean isReady = status.jobManagerDeploymentStatus() == JobManagerDeploymentState.READY;
        return new HalfView.Half(
                metadata.getUid(),
                isCurrent ? condition(status, wantsToRun) : Condition.WORKING,
                why(status),
                Optional.ofNullable(metadata.getAnnotations())
                        .orElseGet(Map::of)
                        .entrySet()
                        .stream()
                        .filter(entry -> entry.getKey().equals(MARK))
                        .map(Map.Entry::getValue)
                        .findFirst(),
                wantsToRun,
                status.jobStatus().startTime().isPresent()
                        || status.reconciliationStatus().lastStableSpec().isPresent(),
                status.jobStatus().jobId(),
                isReady ? Optional.of(address.apply(found)) : Optional.empty(),
                path(status),
                raw);
    }

    /** State that only the next job of the same cluster finds has no path. */
    private static Optional<String> path(FlinkDeploymentStatus status) {
        return status.jobStatus()
                .upgradeSavepointPath()
                .filter(path -> !path.equals(StateOptions.LAST_STATE));
    }

    private static Condition condition(FlinkDeploymentStatus status, boolean wantsToRun) {
        if (!wantsToRun) {
            return isSuspended(status)
                    ? Condition.SUSPENDED
                    : isStalledFor(status, FINAL) ? Condition.BROKEN : Condition.WORKING;
        }
        Optional<JobState> job = status.jobStatus().state();
        if (job.equals(Optional.of(JobState.FINISHED))) {
            return Condition.FINISHED;
        }
        boolean isFinal =
                job.filter(JobState::isTerminal).isPresent()
                        || is(status, LifecycleState.FAILED)
                        || is(status, LifecycleState.ROLLED_BACK)
                        || isStalledFor(status, FINAL);
        if (isFinal) {
            return Condition.BROKEN;
        }
        return is(status, LifecycleState.STABLE) && job.equals(Optional.of(JobState.RUNNING))
                ? Condition.STEADY
                : Condition.WORKING;
    }

    /** A status of the Apache operator has no conditions. */
    private static boolean isSuspended(FlinkDeploymentStatus status) {
        return status.conditions().isEmpty()
                ? is(status, LifecycleState.SUSPENDED)
                : status.conditions().stream()
                        .anyMatch(each -> each.reason().equals(Reason.SUSPENDED.wire()));
    }

    private static boolean isStalledFor(FlinkDeploymentStatus status, List<String> reasons) {
        return status.condition("Stalled")
                .filter(stalled -> stalled.status() == Status.TRUE)
                .filter(stalled -> reasons.contains(stalled.reason()))
                .isPresent();
    }

    private static boolean is(FlinkDeploymentStatus status, LifecycleState state) {
        return status.lifecycleState().equals(Optional.of(state));
    }

    private static String why(FlinkDeploymentStatus status) {
        return Stream.of("Stalled", "Reconciling")
                .flatMap(type -> status.condition(type).stream())
                .filter(condition -> condition.status() == Status.TRUE)
                .map(condition -> condition.reason() + ": " + condition.message())
                .findFirst()
                .orElse("");
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
