// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.diff.PairDiff;
import io.sluice.rules.diff.SpecDiff;
import io.sluice.rules.review.Warning;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an edit will do, told before it is stored: the difference to the spec the operator last took
 * up, and what the operator does about it.
 */
public final class EditEffect {
    /** Of the warning that says so. */
    public static final String ID = "edit-effect";

    private static final int MOST_FIELDS = 4;
    private static final String SCALED = "changes the number of TaskManagers without a restart";

    private EditEffect() {}

    /** Empty if the operator will do nothing new. */
    static Optional<Warning> of(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
        SpecDiff diff = SpecDiff.between(before, after).edited();
        return sentence(before, after, diff)
                .map(text -> new Warning(ID, "spec", text + ": " + fields(diff)));
    }

    static Optional<Warning> of(FlinkSessionJobSpec before, FlinkSessionJobSpec after) {
        return of(asDeployment(before), asDeployment(after));
    }

    /** Of a pair, by what the active half has. */
    public static Optional<Warning> ofPair(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
        SpecDiff diff = SpecDiff.between(before, after).edited();
        return pair(PairDiff.between(before, after).effect())
                .filter(_ -> diff.effect() != SpecDiff.Effect.NONE)
                .map(text -> new Warning(ID, "spec.template.spec", text + ": " + fields(diff)));
    }

    private static Optional<String> pair(PairDiff.Effect effect) {
        return switch (effect) {
            case NONE -> Optional.empty();
            case IN_PLACE -> Optional.of("changes the active half in place, without a transition");
            case SUSPEND -> Optional.of("suspends the active half, without a transition");
            case WHILE_SUSPENDED ->
                    Optional.of(
                            "changes the active half, which is suspended, without a transition");
            case RESUME -> Optional.of("resumes the active half, without a transition");
            case REDEPLOY ->
                    Optional.of(
                            "starts a transition to the other half from"
                                    + " spec.template.spec.job.initialSavepointPath, the state of"
                                    + " the active half is dropped");
            case TRANSITION_WITHOUT_STATE ->
                    Optional.of(
                            "starts a transition to the other half without state, the state of the"
                                    + " active half is dropped");
            case TRANSITION ->
                    Optional.of(
                            "starts a transition to the other half from a savepoint of the active"
                                    + " one");
        };
    }

    private static Optional<String> sentence(
            FlinkDeploymentSpec before, FlinkDeploymentSpec after, SpecDiff diff) {
        if (diff.effect() == SpecDiff.Effect.NONE) {
            return Optional.empty();
        }
        if (before.job().isEmpty() || after.job().isEmpty()) {
            return Optional.of(cluster(diff));
        }
        JobSpec job = after.job().get();
        boolean ran = before.job().get().state() == DesiredJobState.RUNNING;
        boolean runs = job.state() == DesiredJobState.RUNNING;
        if (ran) {
            return Optional.of(runs ? running(diff, after, job) : suspension(job));
        }
        return Optional.of(runs ? resumption(job) : "has no effect until the job is resumed");
    }

    private static String cluster(SpecDiff diff) {
        return switch (diff.effect()) {
            case NONE, IGNORE -> "takes effect without a restart";
            case SCALE -> SCALED;
            case UPGRADE, SAVEPOINT_REDEPLOY -> "restarts the session cluster and every job on it";
        };
    }

    private static String running(SpecDiff diff, FlinkDeploymentSpec after, JobSpec job) {
        return switch (diff.effect()) {
            case NONE, IGNORE -> unnoticed(diff, after);
            case SCALE -> scaling(diff, after, job);
            case UPGRADE -> restart(job);
            case SAVEPOINT_REDEPLOY ->
                    "restarts the job from spec.job.initialSavepointPath, its present state is"
                            + " dropped";
        };
    }

    /** By the job, unless the autoscaler makes something of it. */
    private static String unnoticed(SpecDiff diff, FlinkDeploymentSpec after) {
        Options options = new Options(after.flinkConfiguration());
        boolean isScaled =
                diff.changes().stream()
                                .anyMatch(
                                        change -> change.path().contains(AutoscalerOptions.PREFIX))
                        && options.value(AutoscalerOptions.ENABLED).orElse(true);
        boolean restarts =
                options.get(AutoscalerOptions.MEMORY_TUNING)
                        || !options.isScaledInPlace(after.flinkVersion());
        return isScaled && restarts
                ? "takes effect without a restart; what the autoscaler then asks for restarts the"
                        + " job"
                : "takes effect without a restart";
    }

    private static String scaling(SpecDiff diff, FlinkDeploymentSpec after, JobSpec job) {
        Options options = new Options(after.flinkConfiguration());
        if (options.isReactive()) {
            return SCALED;
        }
        return diff.isOverridesOnly() && options.isScaledInPlace(after.flinkVersion())
                ? "changes the job's parallelism without a restart"
                : restart(job);
    }

    private static String restart(JobSpec job) {
        return switch (job.upgradeMode()) {
            case SAVEPOINT -> "restarts the job through a savepoint";
            case LAST_STATE -> "restarts the job from its last state";
            case STATELESS -> "stateless restart, the job's state is dropped";
        };
    }

    private static String suspension(JobSpec job) {
        return switch (job.upgradeMode()) {
            case SAVEPOINT -> "suspends the job with a savepoint";
            case LAST_STATE -> "suspends the job and keeps its last state";
            case STATELESS -> "suspends the job, its state is dropped";
        };
    }

    private static String resumption(JobSpec job) {
        return switch (job.upgradeMode()) {
            case SAVEPOINT, LAST_STATE -> "resumes the job from the state it was suspended with";
            case STATELESS -> "resumes the job without state";
        };
    }

    /** The fields that ask for the most; values may be secret and are left out. */
    private static String fields(SpecDiff diff) {
        SpecDiff.Effect most = diff.effect();
        List<String> paths =
                diff.changes().stream()
                        .filter(change -> change.effect() == most)
                        .map(SpecDiff.Change::path)
                        .toList();
        String named = paths.stream().limit(MOST_FIELDS).collect(Collectors.joining(", "));
        return paths.size() <= MOST_FIELDS
                ? named
                : named + " and " + (paths.size() - MOST_FIELDS) + " more";
    }

    private static FlinkDeploymentSpec asDeployment(FlinkSessionJobSpec spec) {
        return FlinkDeploymentSpec.EMPTY
                .with()
                .job(spec.job())
                .restartNonce(spec.restartNonce())
                .flinkConfiguration(spec.flinkConfiguration())
                .build();
    }
}
