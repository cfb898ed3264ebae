// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.SnapshotOptions;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Rule;
import java.util.List;

/** Where a job's state is kept; none of it applies to a session cluster. */
final class StateRules {
    private static final String SET_SAVEPOINTS =
            "; set "
                    + FlinkOptions.SAVEPOINT_FOLDER.key()
                    + " in spec.flinkConfiguration to a durable folder";

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "stateful-needs-checkpoint-dir",
                            "spec.job.upgradeMode",
                            "State that is to survive an upgrade has to be stored outside of the"
                                    + " cluster.",
                            StateRules::checkpointDir),
                    new Rule<>(
                            "savepoint-mode-needs-dir",
                            "spec.job.upgradeMode",
                            "An upgrade with a savepoint needs a folder for it.",
                            StateRules::savepointMode),
                    new Rule<>(
                            "savepoint-nonce-needs-dir",
                            "spec.job.savepointTriggerNonce",
                            "A triggered savepoint needs a folder.",
                            StateRules::savepointNonce),
                    new Rule<>(
                            "periodic-savepoint-needs-dir",
                            "spec.flinkConfiguration",
                            "A periodic savepoint needs a folder.",
                            review ->
                                    needsSavepoints(
                                            review, SnapshotOptions.PERIODIC_SAVEPOINT_INTERVAL)),
                    new Rule<>(
                            "checkpoint-age-needs-dir",
                            "spec.flinkConfiguration",
                            "A checkpoint that is too old is replaced by a savepoint, which needs a"
                                    + " folder.",
                            review ->
                                    needsSavepoints(review, LifecycleOptions.MAX_CHECKPOINT_AGE)));

    private StateRules() {}

    private static List<FieldProblem> checkpointDir(JobReview review) {
        return review.job().stream()
                .filter(job -> job.upgradeMode() != UpgradeMode.STATELESS)
                .filter(_ -> !review.effective().isSet(FlinkOptions.CHECKPOINT_FOLDER))
                .map(
                        job ->
                                mode(
                                        job,
                                        "needs a checkpoint folder; set "
                                                + FlinkOptions.CHECKPOINT_FOLDER.key()
                                                + " in spec.flinkConfiguration to a durable"
                                                + " folder, or use stateless"))
                .toList();
    }

    private static List<FieldProblem> savepointMode(JobReview review) {
        return review.job().stream()
                .filter(job -> job.upgradeMode().takesSavepoint())
                .filter(_ -> lacksSavepoints(review))
                .map(job -> mode(job, "needs a savepoint folder" + SET_SAVEPOINTS))
                .toList();
    }

    private static List<FieldProblem> savepointNonce(JobReview review) {
        return review.job().stream()
                .flatMap(job -> job.savepointTriggerNonce().stream())
                .filter(_ -> lacksSavepoints(review))
                .map(
                        nonce ->
                                at(
                                        "spec.job.savepointTriggerNonce",
                                        nonce,
                                        "needs a savepoint folder" + SET_SAVEPOINTS))
                .toList();
    }

    private static List<FieldProblem> needsSavepoints(JobReview review, Option<?> option) {
        return when(
                review.job().isPresent()
                        && review.effective().isSet(option)
                        && lacksSavepoints(review),
                at(review, option.key(), "needs a savepoint folder" + SET_SAVEPOINTS));
    }

    private static boolean lacksSavepoints(JobReview review) {
        return !review.effective().isSet(FlinkOptions.SAVEPOINT_FOLDER);
    }

    private static FieldProblem mode(JobSpec job, String message) {
        return at("spec.job.upgradeMode", job.upgradeMode().wire(), message);
    }
}
