// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.api.json.Parsed;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.advice.Advice;
import io.sluice.rules.bluegreen.BlueGreenRules;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.deployment.DeploymentRules;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import io.sluice.rules.scale.ScaleRequest;
import io.sluice.rules.scale.ScaleRequestRules;
import io.sluice.rules.sessionjob.SessionJobReview;
import io.sluice.rules.sessionjob.SessionJobRules;
import io.sluice.rules.snapshot.SnapshotReview;
import io.sluice.rules.snapshot.SnapshotRules;
import java.util.List;

/**
 * The one way in: reviews a resource of any kind, for the webhook before it is stored, for the
 * operator before it is carried out, for the command line before it is applied. Pure but for the
 * {@link Lookup}.
 */
public final class Reviewer {
    private final DefaultConfiguration defaults;

    public Reviewer(DefaultConfiguration defaults) {
        this.defaults = defaults;
    }

    /** All problems and warnings at once. */
    public Findings review(ReviewRequest request, Lookup lookup) {
        return switch (request.kind()) {
            case FLINK_DEPLOYMENT -> {
                var read = deployment(request, lookup);
                yield new Findings(DeploymentRules.check(read), Advice.of(read.value()));
            }
            case FLINK_SESSION_JOB -> {
                Lookup.Answer cluster = cluster(request, lookup);
                var read = SessionJobReview.read(request, cluster, defaults);
                yield new Findings(SessionJobRules.check(read), Advice.of(read.value(), cluster));
            }
            case FLINK_STATE_SNAPSHOT -> {
                var read = SnapshotReview.read(request, lookup, defaults);
                yield new Findings(SnapshotRules.check(read), Advice.of(read.value()));
            }
            case FLINK_BLUE_GREEN_DEPLOYMENT -> BlueGreenRules.review(request, defaults);
        };
    }

    /** All problems, for who has nobody to warn: what warnings there are is not found out. */
    public List<Violation> problems(ReviewRequest request, Lookup lookup) {
        return switch (request.kind()) {
            case FLINK_DEPLOYMENT -> DeploymentRules.check(deployment(request, lookup));
            case FLINK_SESSION_JOB ->
                    SessionJobRules.check(
                            SessionJobReview.read(request, cluster(request, lookup), defaults));
            case FLINK_STATE_SNAPSHOT ->
                    SnapshotRules.check(SnapshotReview.read(request, lookup, defaults));
            case FLINK_BLUE_GREEN_DEPLOYMENT -> BlueGreenRules.problems(request, defaults);
        };
    }

    /** All problems of a write to the subresource {@code scale} of a FlinkDeployment. */
    public List<Violation> review(ScaleRequest request, Lookup lookup) {
        return ScaleRequestRules.check(request, lookup, defaults);
    }

    private Parsed<DeploymentReview> deployment(ReviewRequest request, Lookup lookup) {
        var read = DeploymentReview.read(request, defaults);
        return new Parsed<>(read.value().beside(lookup), read.problems());
    }

    private static Lookup.Answer cluster(ReviewRequest request, Lookup lookup) {
        String cluster = request.resource().path("spec").path("deploymentName").asText("");
        return cluster.isEmpty()
                ? new Lookup.Unknown()
                : lookup.find(ResourceKind.FLINK_DEPLOYMENT, request.namespace(), cluster);
    }
}
