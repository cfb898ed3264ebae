// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.snapshot;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import java.util.List;
import java.util.Optional;

/** The rules of a FlinkStateSnapshot. */
public final class SnapshotRules {
    private static final RuleSet<SnapshotReview> SET =
            RuleSet.of(
                    List.of(
                            SpecSize.RULE.on(SnapshotReview::size),
                            new Rule<>(
                                    "snapshot-exactly-one-type",
                                    "spec.savepoint, spec.checkpoint",
                                    "A snapshot is either a savepoint or a checkpoint.",
                                    SnapshotRules::type),
                            new Rule<>(
                                    "snapshot-job-reference-required",
                                    "spec.jobReference",
                                    "A snapshot has to name the job whose state it is.",
                                    SnapshotRules::reference),
                            new Rule<>(
                                    "snapshot-target-missing",
                                    "spec.jobReference.name",
                                    "Without the job there is no state to take a snapshot of.",
                                    SnapshotRules::target),
                            new Rule<>(
                                    "snapshot-registration-path",
                                    "spec.savepoint.path",
                                    "A savepoint that exists is registered by its path.",
                                    SnapshotRules::registrationPath),
                            new Rule<>(
                                    "snapshot-immutable",
                                    "spec.jobReference, spec.savepoint, spec.checkpoint",
                                    "A snapshot that was started is not started again for another"
                                            + " spec, and its status would tell of something else"
                                            + " than its spec.",
                                    SnapshotRules::changes),
                            new Rule<>(
                                    "snapshot-format",
                                    "spec.savepoint.formatType",
                                    "Flink can be asked for a savepoint in the format CANONICAL or"
                                            + " NATIVE only.",
                                    SnapshotRules::format),
                            new Rule<>(
                                    "snapshot-checkpoint-version",
                                    "spec.checkpoint",
                                    "Flink can be asked for a checkpoint since version 1.17.",
                                    SnapshotRules::checkpointVersion)));

    public static final List<Rule<?>> ALL = List.copyOf(SET.rules());

    private SnapshotRules() {}

    public static List<Violation> check(Parsed<SnapshotReview> read) {
        return SET.check(read);
    }

    private static List<FieldProblem> type(SnapshotReview review) {
        boolean savepoint = review.spec().savepoint().isPresent();
        if (savepoint != review.spec().checkpoint()) {
            return List.of();
        }
        return List.of(
                savepoint
                        ? missing("spec.checkpoint", "stands beside spec.savepoint; remove one")
                        : missing(
                                "spec.savepoint",
                                "is missing; write savepoint: {} or checkpoint: {}"));
    }

    private static List<FieldProblem> reference(SnapshotReview review) {
        return when(
                review.spec().jobReference().isEmpty() && !review.spec().isRegistration(),
                missing(
                        "spec.jobReference",
                        "is missing; name the kind, FlinkDeployment or FlinkSessionJob, and the"
                                + " name of the job's resource"));
    }

    private static List<FieldProblem> registrationPath(SnapshotReview review) {
        boolean isMissing =
                review.spec()
                        .savepoint()
                        .filter(SavepointSpec::alreadyExists)
                        .filter(savepoint -> savepoint.path().filter(it -> !it.isBlank()).isEmpty())
                        .isPresent();
        return when(
                isMissing && review.isPending(),
                missing(
                        "spec.savepoint.path",
                        "is missing; name the savepoint, or leave alreadyExists out"));
    }

    private static List<FieldProblem> changes(SnapshotReview review) {
        return review.started().stream()
                .flatMap(started -> review.spec().changesOf(started).stream())
                .map(
                        path ->
                                missing(
                                        path,
                                        "can't be changed once the snapshot has been started;"
                                                + " create another FlinkStateSnapshot"))
                .toList();
    }

    private static List<FieldProblem> format(SnapshotReview review) {
        boolean isUnknown =
                review.spec()
                        .savepoint()
                        .filter(savepoint -> !savepoint.alreadyExists())
                        .filter(savepoint -> savepoint.formatType() == SavepointFormat.UNKNOWN)
                        .isPresent();
        return when(
                isUnknown && review.isPending(),
                at(
                        "spec.savepoint.formatType",
                        SavepointFormat.UNKNOWN.wire(),
                        "can't be asked for; write CANONICAL or NATIVE"));
    }

    /** A session job does not say which version its cluster has. */
    private static List<FieldProblem> checkpointVersion(SnapshotReview review) {
        Optional<FlinkVersion> version =
                review.target() instanceof Lookup.Found(var job)
                        ? Optional.ofNullable(
                                FlinkVersion.WORDS.get(job.at("/spec/flinkVersion").asText("")))
                        : Optional.empty();
        return when(
                review.spec().checkpoint()
                        && review.isPending()
                        && version.filter(it -> !it.isAtLeast(FlinkVersion.V1_17)).isPresent(),
                missing(
                        "spec.checkpoint",
                        "needs Flink 1.17 or later; take a savepoint, or upgrade the job"));
    }

    private static List<FieldProblem> target(SnapshotReview review) {
        boolean isMissing =
                switch (review.target()) {
                    case Lookup.Absent _ -> true;
                    case Lookup.Found _, Lookup.Unknown _ -> false;
                };
        return when(
                isMissing && review.isPending() && !review.spec().isRegistration(),
                at(
                        "spec.jobReference.name",
                        review.spec().jobReference().flatMap(JobReference::name).orElse(""),
                        "does not exist in this namespace; create the job first, or name another"));
    }
}
