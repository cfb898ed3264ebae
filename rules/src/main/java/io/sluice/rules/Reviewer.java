// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.rules.config.DefaultConfiguration;
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
            case FLINK_DEPLOYMENT ->
                    new Findings(
                            DeploymentRules.check(DeploymentReview.read(request, defaults)),
                            List.of());
            case FLINK_SESSION_JOB, FLINK_STATE_SNAPSHOT, FLINK_BLUE_GREEN_DEPLOYMENT ->
                    Findings.NONE;
        };
    }
}
