// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Redaction;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import io.sluice.rules.review.Rule;
import io.sluice.rules.snapshot.SnapshotJob;
import io.sluice.rules.snapshot.SnapshotReview;
import java.util.List;
import java.util.Optional;

/** What a FlinkStateSnapshot will do that its author may not expect. */
final class SnapshotAdvice {
    private static final String RUNNING = "RUNNING";

    /** A path is shown to whoever takes the snapshot, who need not be who wrote it. */
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);

    static final List<Rule<SnapshotReview>> ALL =
            List.of(
                    new Rule<>(
                            "snapshot-waits-for-job",
                            "spec.jobReference.name",
                            "A snapshot is taken of a job that runs. The operator waits a while for"
                                    + " one that does not.",
                            SnapshotAdvice::waits),
                    new Rule<>(
                            "snapshot-without-folder",
                            "spec.savepoint.path",
                            "Flink needs a folder for a savepoint, which the snapshot or the job"
                                    + " names.",
                            SnapshotAdvice::withoutFolder),
                    new Rule<>(
                            "snapshot-effect",
                            "spec.savepoint",
                            "A new snapshot says where its savepoint will be, and whether the files"
                                    + " are deleted with the resource.",
                            SnapshotAdvice::effect));

    private SnapshotAdvice() {}

    private static boolean isWanted(SnapshotReview review) {
        return review.isPending() && !review.spec().isRegistration();
    }

    private static List<FieldProblem> waits(SnapshotReview review) {
        return review.job().stream()
                .flatMap(job -> wait(job).map(text -> problem(job, text)).stream())
                .toList();
    }

    private static Optional<String> wait(SnapshotJob job) {
        if (job.isSuspended()) {
            return Optional.of("is suspended; resume it, or the snapshot is abandoned");
        }
        return job.state()
                .filter(state -> !state.equals(RUNNING))
                .map(
                        state ->
                                "is "
                                        + state
                                        + " now; it is waited for as long as "
                                        + SnapshotOptions.JOB_WAIT.key()
                                        + " says, and then the snapshot is abandoned");
    }

    private static FieldProblem problem(SnapshotJob job, String text) {
        return at("spec.jobReference.name", job.name(), text);
    }

    private static List<FieldProblem> withoutFolder(SnapshotReview review) {
        return review.job().stream()
                .filter(_ -> review.spec().savepoint().isPresent())
                .filter(job -> job.options().isPresent() && folder(review).isEmpty())
                .map(
                        job ->
                                missing(
                                        "spec.savepoint.path",
                                        "is missing, and "
                                                + job.kind().wire()
                                                + " '"
                                                + job.name()
                                                + "' has no "
                                                + FlinkOptions.SAVEPOINT_FOLDER.key()
                                                + "; the snapshot waits until one of them is"
                                                + " set"))
                .toList();
    }

    private static List<FieldProblem> effect(SnapshotReview review) {
        return review.spec().savepoint().stream()
                .filter(_ -> isWanted(review))
                .flatMap(
                        savepoint ->
                                folder(review).map(folder -> effect(savepoint, folder)).stream())
                .toList();
    }

    private static FieldProblem effect(SavepointSpec savepoint, String folder) {
        String deletion =
                savepoint.disposeOnDelete()
                        ? "its files are deleted with this resource; set disposeOnDelete: false"
                                + " to keep them"
                        : "its files stay when this resource is deleted";
        return missing("spec.savepoint", "goes to '" + REDACTION.apply(folder) + "'; " + deletion);
    }

    private static Optional<String> folder(SnapshotReview review) {
        return review.spec()
                .savepoint()
                .flatMap(SavepointSpec::path)
                .filter(path -> !path.isBlank())
                .or(
                        () ->
                                review.job()
                                        .flatMap(SnapshotJob::options)
                                        .flatMap(Options::savepointFolder));
    }
}
