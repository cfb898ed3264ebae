// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.isBlank;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What may follow what, once a resource has been deployed. */
final class TransitionRules {
    private static final String RECREATE = "; create a new resource, or keep it as it was";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "no-session-to-job",
                            "spec.job",
                            "The jobs of the session cluster would be lost.",
                            afterFirst(TransitionRules::sessionToJob)),
                    new Rule<>(
                            "no-job-to-session",
                            "spec.job",
                            "The running job and its state would be lost.",
                            afterFirst(TransitionRules::jobToSession)),
                    new Rule<>(
                            "no-native-to-standalone",
                            "spec.mode",
                            "The two modes create and own pods differently, so a cluster can't"
                                    + " change from one to the other.",
                            afterFirst(
                                    (old, spec) -> modeChange(old, spec, DeploymentMode.NATIVE))),
                    new Rule<>(
                            "no-standalone-to-native",
                            "spec.mode",
                            "The two modes create and own pods differently, so a cluster can't"
                                    + " change from one to the other.",
                            afterFirst(
                                    (old, spec) ->
                                            modeChange(old, spec, DeploymentMode.STANDALONE))),
                    new Rule<>(
                            "redeploy-needs-initial-savepoint",
                            "spec.job.initialSavepointPath",
                            "A redeployment starts from this path. Without one it would start"
                                    + " empty.",
                            afterFirst(TransitionRules::redeploy)),
                    new Rule<>(
                            "no-version-change-after-last-state",
                            "spec.flinkVersion",
                            "A job suspended with its last state can only be resumed by the"
                                    + " version that wrote the state.",
                            afterFirst(TransitionRules::versionAfterLastState)));

    private TransitionRules() {}

    private static Function<DeploymentReview, List<FieldProblem>> afterFirst(
            BiFunction<FlinkDeploymentSpec, FlinkDeploymentSpec, List<FieldProblem>> check) {
        return review -> review.old().map(old -> check.apply(old, review.spec())).orElse(List.of());
    }

    private static List<FieldProblem> sessionToJob(
            FlinkDeploymentSpec old, FlinkDeploymentSpec spec) {
        return when(
                old.job().isEmpty() && spec.job().isPresent(),
                missing("spec.job", "cannot be added to a session cluster" + RECREATE));
    }

    private static List<FieldProblem> jobToSession(
            FlinkDeploymentSpec old, FlinkDeploymentSpec spec) {
        return when(
                old.job().isPresent() && spec.job().isEmpty(),
                missing(
                        "spec.job",
                        "cannot be removed after the first deployment; suspend the job with"
                                + " spec.job.state, or delete the resource"));
    }

    private static List<FieldProblem> modeChange(
            FlinkDeploymentSpec old, FlinkDeploymentSpec spec, DeploymentMode from) {
        return when(
                old.mode() == from && spec.mode() != from,
                at("spec.mode", spec.mode().wire(), "cannot follow " + from.wire() + RECREATE));
    }

    private static List<FieldProblem> redeploy(FlinkDeploymentSpec old, FlinkDeploymentSpec spec) {
        Optional<Long> before = old.savepointRedeployNonce();
        return spec.job().stream()
                .filter(job -> job.savepointRedeployNonce().isPresent())
                .filter(job -> !job.savepointRedeployNonce().equals(before))
                .filter(job -> isBlank(job.initialSavepointPath()))
                .map(
                        _ ->
                                missing(
                                        "spec.job.initialSavepointPath",
                                        "is missing; name the savepoint to redeploy from, or leave"
                                                + " savepointRedeployNonce as it was"))
                .toList();
    }

    private static List<FieldProblem> versionAfterLastState(
            FlinkDeploymentSpec old, FlinkDeploymentSpec spec) {
        boolean suspendedWithLastState =
                old.job()
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .filter(job -> job.upgradeMode() == UpgradeMode.LAST_STATE)
                        .isPresent();
        boolean keepsState =
                spec.job().filter(job -> job.upgradeMode() != UpgradeMode.STATELESS).isPresent();
        boolean changed =
                spec.flinkVersion().isPresent() && !spec.flinkVersion().equals(old.flinkVersion());
        return when(
                suspendedWithLastState && keepsState && changed,
                at(
                        "spec.flinkVersion",
                        spec.flinkVersion().map(version -> version.wire()).orElse(""),
                        "cannot change while the job is suspended with its last state; resume it"
                                + " on "
                                + old.flinkVersion().map(v -> v.wire()).orElse("the old version")
                                + " first, then upgrade"));
    }
}
