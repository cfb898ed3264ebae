// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import java.util.Optional;

/**
 * What the rules look at that hold for a job wherever it runs.
 *
 * @param job empty for a session cluster
 * @param sizedByReplicas whether a number of TaskManagers stands in for the parallelism
 * @param version of the cluster; empty if it is not known
 * @param own the configuration of the resource alone
 * @param effective the operator's defaults with the resource's own configuration on top
 * @param granted the operator's defaults alone: what a resource must not say of itself
 * @param backup see {@link BackupSign}
 */
public record JobReview(
        Optional<JobSpec> job,
        boolean sizedByReplicas,
        Optional<FlinkVersion> version,
        FlinkConfiguration own,
        Options effective,
        Options granted,
        Optional<String> backup) {}
