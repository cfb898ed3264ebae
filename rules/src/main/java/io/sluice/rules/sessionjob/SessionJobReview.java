// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.sessionjob;

import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.review.BackupSign;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.SpecSize;
import java.util.Optional;

/**
 * Everything the rules of a FlinkSessionJob look at.
 *
 * @param size of the spec
 * @param old the spec the operator last took up; empty before the first deployment
 * @param clusterName what the session cluster that was found is called
 * @param cluster its spec; empty if it is not there, or nobody could say
 * @param effective the defaults, the cluster's and the job's own configuration
 * @param granted the operator's defaults alone: what a resource must not say of itself
 * @param backup see {@link BackupSign}
 */
public record SessionJobReview(
        FlinkSessionJobSpec spec,
        SpecSize size,
        Optional<FlinkSessionJobSpec> old,
        Optional<String> clusterName,
        Optional<FlinkDeploymentSpec> cluster,
        Options effective,
        Options granted,
        Optional<String> backup) {

    public static Parsed<SessionJobReview> read(
            ReviewRequest request, Lookup.Answer answer, DefaultConfiguration defaults) {
        Parsed<FlinkSessionJobSpec> parsed = parse(request);
        Optional<FlinkDeploymentSpec> cluster = answer.deployment();
        Optional<String> name =
                answer instanceof Lookup.Found(var resource)
                        ? Optional.of(resource.path("metadata").path("name").asText(""))
                        : Optional.empty();
        var version = cluster.flatMap(FlinkDeploymentSpec::flinkVersion);
        var spec = parsed.value();
        var effective =
                defaults.effective(
                        request.namespace(),
                        version,
                        cluster.map(FlinkDeploymentSpec::flinkConfiguration)
                                .orElse(FlinkConfiguration.EMPTY),
                        spec.flinkConfiguration());
        var review =
                new SessionJobReview(
                        spec,
                        SpecSize.of(request.resource().path("spec"), "spec"),
                        old(request),
                        name,
                        cluster,
                        new Options(effective),
                        new Options(defaults.granted(request.namespace(), version)),
                        BackupSign.of(request.resource()));
        return new Parsed<>(review, parsed.problems());
    }

    static Parsed<FlinkSessionJobSpec> parse(ReviewRequest request) {
        return FlinkSessionJobSpec.parse(request.resource().path("spec"), "spec");
    }

    private static Optional<FlinkSessionJobSpec> old(ReviewRequest request) {
        return DeploymentReview.lastReconciled(request.resource())
                .map(spec -> FlinkSessionJobSpec.parse(spec, "spec").value());
    }

    public JobReview jobReview() {
        return new JobReview(
                spec.job(),
                false,
                cluster.flatMap(FlinkDeploymentSpec::flinkVersion),
                spec.flinkConfiguration(),
                effective,
                granted,
                backup);
    }
}
