// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.BlueGreenTemplate;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What only a pair has to satisfy, beside the rules of the FlinkDeployments that it creates. */
final class PairRules {
    private static final String JOB = BlueGreenTemplate.SPEC_PATH + ".job";
    private static final String ANNOTATIONS = "spec.template.metadata.annotations";
    private static final String FIXED_ID = "$internal.pipeline.job-id";

    static final List<Rule<PairReview>> ALL =
            List.of(
                    new Rule<>(
                            "bluegreen-job-required",
                            JOB,
                            "The halves take turns by a savepoint of a job, which a session cluster"
                                    + " does not have.",
                            PairRules::job),
                    new Rule<>(
                            "bluegreen-savepoint-dir",
                            JOB + ".upgradeMode",
                            "The other half starts from a savepoint in the mode last-state, too,"
                                    + " and a savepoint needs a folder.",
                            PairRules::savepointFolder),
                    new Rule<>(
                            "bluegreen-duration",
                            "spec.configuration",
                            "A value that can't be read would leave the default in force.",
                            PairRules::values),
                    new Rule<>(
                            "bluegreen-fixed-job-id",
                            BlueGreenTemplate.SPEC_PATH + ".flinkConfiguration",
                            "Both jobs would have the same id, and write their checkpoints to the"
                                    + " same folder.",
                            PairRules::fixedId),
                    AnalysisRules.QUERIES,
                    new Rule<>(
                            "bluegreen-cron",
                            ANNOTATIONS,
                            "A half with a schedule would be the template of runs, and would never"
                                    + " run itself.",
                            PairRules::schedule));

    private PairRules() {}

    private static List<FieldProblem> job(PairReview review) {
        return when(
                review.job().isEmpty(),
                missing(JOB, "is missing; write the job, or use a FlinkDeployment"));
    }

    /** The rules of a FlinkDeployment ask the same of the mode savepoint. */
    private static List<FieldProblem> savepointFolder(PairReview review) {
        return review.job().stream()
                .filter(job -> job.upgradeMode() == UpgradeMode.LAST_STATE)
                .filter(_ -> !review.effective().isSet(FlinkOptions.SAVEPOINT_FOLDER))
                .map(
                        job ->
                                at(
                                        JOB + ".upgradeMode",
                                        job.upgradeMode().wire(),
                                        "needs a savepoint folder in a pair; set "
                                                + FlinkOptions.SAVEPOINT_FOLDER.key()
                                                + " in "
                                                + BlueGreenTemplate.SPEC_PATH
                                                + ".flinkConfiguration to a durable folder"))
                .toList();
    }

    private static List<FieldProblem> values(PairReview review) {
        return review.spec().configuration().entries().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> value(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Stream<FieldProblem> value(String key, String value) {
        return BlueGreenOptions.of(key)
                .filter(OperatorOption::ofResources)
                .flatMap((OperatorOption option) -> complaint(option, value))
                .map(complaint -> at("spec.configuration[" + key + "]", value, complaint))
                .stream();
    }

    /** The Apache operator takes a number that is too small for its own options. */
    private static Optional<String> complaint(OperatorOption option, String value) {
        boolean isOutOfRange =
                option.addedBySluice()
                        && !value.isBlank()
                        && option.option().read(value.strip()).isEmpty();
        return option.complaint(value)
                .or(
                        () ->
                                isOutOfRange
                                        ? Optional.of("is too small; write a larger number")
                                        : Optional.empty());
    }

    private static List<FieldProblem> fixedId(PairReview review) {
        return review.half().spec().flinkConfiguration().get(FIXED_ID).stream()
                .map(
                        id ->
                                at(
                                        BlueGreenTemplate.SPEC_PATH
                                                + ".flinkConfiguration["
                                                + FIXED_ID
                                                + "]",
                                        id,
                                        "is the same for both halves; remove it"))
                .toList();
    }

    private static List<FieldProblem> schedule(PairReview review) {
        return review.spec().template().annotations().entrySet().stream()
                .filter(entry -> entry.getKey().equals(CronAnnotations.EXPRESSION))
                .map(
                        entry ->
                                at(
                                        ANNOTATIONS + "[" + entry.getKey() + "]",
                                        entry.getValue(),
                                        "has no place in a pair; remove it, or use a"
                                                + " FlinkDeployment"))
                .toList();
    }
}
