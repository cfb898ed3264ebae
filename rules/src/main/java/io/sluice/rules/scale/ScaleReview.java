// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.scale;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.review.Lookup;
import java.util.List;
import java.util.Optional;

/**
 * Everything the rules of a {@link ScaleRequest} look at.
 *
 * @param own the configuration of the FlinkDeployment alone
 * @param effective the operator's defaults with the FlinkDeployment's own configuration on top
 */
public record ScaleReview(ScaleRequest request, FlinkConfiguration own, Options effective) {
    private static final List<Option<?>> READ =
            List.of(
                    AutoscalerOptions.ENABLED,
                    AutoscalerOptions.SCALING_ENABLED,
                    AutoscalerOptions.GOVERNOR_MODE);

    /** Empty if no job is known that the request would scale: a session cluster is none. */
    static Optional<ScaleReview> read(
            ScaleRequest request, Lookup lookup, DefaultConfiguration defaults) {
        return lookup.find(ResourceKind.FLINK_DEPLOYMENT, request.namespace(), request.name())
                .deployment()
                .filter(spec -> spec.job().isPresent())
                .map(spec -> of(request, spec, defaults));
    }

    private static ScaleReview of(
            ScaleRequest request, FlinkDeploymentSpec spec, DefaultConfiguration defaults) {
        FlinkConfiguration own = spec.flinkConfiguration();
        return new ScaleReview(
                request,
                own,
                new Options(defaults.effective(request.namespace(), spec.flinkVersion(), own)));
    }

    /**
     * Whether the rules read {@code key} of a job's own configuration, in any spelling. Older
     * spellings have only more in front.
     */
    public static boolean isRead(String key) {
        return READ.stream().anyMatch(option -> key.endsWith(option.key()));
    }
}
