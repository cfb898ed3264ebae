// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.scale;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.Violation;
import java.util.List;

/** The rules of a {@link ScaleRequest}. */
public final class ScaleRequestRules {
    private static final String REPLICAS = "spec.replicas";

    public static final List<Rule<ScaleReview>> ALL =
            List.of(
                    new Rule<>(
                            "one-scaler-per-job",
                            REPLICAS,
                            "A HorizontalPodAutoscaler and Sluice's autoscaler would each undo what"
                                    + " the other decides for the same job. It is refused while"
                                    + " job.autoscaler.enabled is true,"
                                    + " job.autoscaler.scaling.enabled is not false and"
                                    + " job.autoscaler.governor.mode is apply.",
                            ScaleRequestRules::oneScaler));

    private ScaleRequestRules() {}

    /**
     * Every violation; none where the FlinkDeployment, or what it says, is not known.
     *
     * @param defaults the operator's configuration
     */
    public static List<Violation> check(
            ScaleRequest request, Lookup lookup, DefaultConfiguration defaults) {
        return ScaleReview.read(request, lookup, defaults)
                .map(review -> new RuleSet<>(ALL).check(new Parsed<>(review, List.of())))
                .orElseGet(List::of);
    }

    private static List<FieldProblem> oneScaler(ScaleReview review) {
        return Problems.when(
                isAutoscaled(review.effective()),
                Problems.at(REPLICAS, review.request().replicas(), message(review)));
    }

    /** Whether what the autoscaler decides is carried out; it may also only be shown. */
    private static boolean isAutoscaled(Options options) {
        return options.get(AutoscalerOptions.ENABLED)
                && options.get(AutoscalerOptions.SCALING_ENABLED)
                && options.get(AutoscalerOptions.GOVERNOR_MODE).equalsIgnoreCase("apply");
    }

    private static String message(ScaleReview review) {
        String enabled = AutoscalerOptions.ENABLED.key();
        String origin =
                review.own().get(enabled).isPresent()
                        ? ""
                        : " (set through another spelling or the operator's defaults)";
        return "can't be set while Sluice's autoscaler scales the job: "
                + enabled
                + " is 'true'"
                + origin
                + "; either delete the HorizontalPodAutoscaler and leave out kubectl scale, or set "
                + enabled
                + ": \"false\" in spec.flinkConfiguration of FlinkDeployment '"
                + review.request().name()
                + "'";
    }
}
