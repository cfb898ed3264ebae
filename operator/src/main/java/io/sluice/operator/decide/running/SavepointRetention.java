// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.SavedState;
import io.sluice.operator.decide.step.RetentionLimits;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.SavepointLocation;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decides which savepoints are kept: the newest {@code
 * kubernetes.operator.savepoint.history.max.count} that are not older than {@code …max.age}, the
 * last one of all, and every one that the job was restored from or may be.
 *
 * @param disposes whether those not kept are deleted, or only forgotten ({@code
 *     kubernetes.operator.savepoint.cleanup.enabled})
 * @param count at least 1
 * @param oldest what was made before is overdue
 * @param spared normalised locations
 * @param sparesAll while the current spec can't be read: it may name any of them
 */
record SavepointRetention(
        boolean disposes, int count, Instant oldest, Set<String> spared, boolean sparesAll) {
    private static final Duration DOUBT = Duration.ofMinutes(1);

    static SavepointRetention of(StepContext context, Options options) {
        Options granted =
                new Options(
                        context.observed()
                                .defaults()
                                .granted(
                                        context.observed().identity().namespace(),
                                        context.spec().flinkVersion()));
        RetentionLimits limits = RetentionLimits.of(StateKind.SAVEPOINT, options, granted);
        return new SavepointRetention(
                limits.deletes(),
                limits.count(),
                limits.age().map(context.observed().now()::minus).orElse(Instant.MIN),
                needed(context).map(SavepointLocation::normal).collect(Collectors.toSet()),
                context.observed().spec() instanceof SpecView.Invalid);
    }

    /** Those of {@code history}, oldest first, that are not kept. */
    List<SavedState> overdue(List<SavedState> history) {
        int tooMany = history.size() - count;
        return IntStream.range(0, Math.max(0, history.size() - 1))
                .filter(i -> i < tooMany || history.get(i).at().isBefore(oldest))
                .mapToObj(history::get)
                .filter(state -> !spares(state.location().orElse("")))
                .toList();
    }

    /** Whether the savepoint at {@code location} must not be deleted, however old it is. */
    boolean spares(String location) {
        String normal = SavepointLocation.normal(location);
        return sparesAll || location.isEmpty() || spared.contains(normal);
    }

    /** What the job was restored from, what it may be restored from, and the last one. */
    private static Stream<String> needed(StepContext context) {
        Optional<FlinkDeploymentSpec> current =
                context.observed().spec() instanceof SpecView.Valid(var spec, _)
                        ? Optional.of(spec)
                        : Optional.empty();
        Stream<String> initial =
                Stream.of(
                                Optional.of(context.spec()),
                                current,
                                context.observed().lastReconciled().map(LastReconciledSpec::spec))
                        .flatMap(Optional::stream)
                        .flatMap(spec -> spec.job().stream())
                        .flatMap(job -> initial(job).stream());
        return Stream.concat(
                Stream.concat(initial, perhapsRestoredFrom(context)),
                Stream.of(
                                context.draft().job().upgradeSavepointPath(),
                                context.observed().status().jobStatus().upgradeSavepointPath(),
                                context.draft()
                                        .attempt()
                                        .lastCheckpoint()
                                        .map(SeenCheckpoint::path),
                                context.draft()
                                        .job()
                                        .log()
                                        .savepoints()
                                        .last()
                                        .flatMap(SavedState::location))
                        .flatMap(Optional::stream));
    }

    /**
     * Where the record does not say what the job was restored from: all that was made before it
     * began, or so soon after that the clocks may differ. A path may have been removed by hand, by
     * a tool, or by a restore.
     */
    private static Stream<String> perhapsRestoredFrom(StepContext context) {
        boolean isCertain =
                context.draft().job().upgradeSavepointPath().isPresent()
                        || context.draft().attempt().startsEmpty()
                        || context.draft().attempt().beganEmpty()
                        || context.observed()
                                .lastReconciled()
                                .filter(LastReconciledSpec::startsEmpty)
                                .isPresent();
        if (isCertain) {
            return Stream.empty();
        }
        Instant begun =
                context.draft().job().startTime().map(at -> at.plus(DOUBT)).orElse(Instant.MAX);
        return context.draft().job().log().savepoints().history().stream()
                .filter(saved -> !saved.at().isAfter(begun))
                .flatMap(saved -> saved.location().stream());
    }

    private static Optional<String> initial(JobSpec job) {
        return job.initialSavepointPath();
    }
}
