// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.review.Lookup;
import java.util.Optional;

/**
 * The job that a snapshot is taken of.
 *
 * @param isSuspended whether its spec says that it should not run
 * @param state of the job, by its status; empty if there is none at hand
 * @param options by which it runs; empty if the configuration of its cluster is not known
 */
public record SnapshotJob(
        ResourceKind kind,
        String name,
        boolean isSuspended,
        Optional<String> state,
        Optional<Options> options) {
    /** Whether {@code key} of the job's own configuration says where its savepoints go. */
    public static boolean isRead(String key) {
        return key.equals(FlinkOptions.SAVEPOINT_FOLDER.key())
                || key.equals(FlinkOptions.FORMER_SAVEPOINT_FOLDER.key());
    }

    static Optional<SnapshotJob> of(
            Lookup.Answer target,
            Optional<JobReference> reference,
            String namespace,
            Lookup lookup,
            DefaultConfiguration defaults) {
        return target instanceof Lookup.Found(var resource)
                ? reference.flatMap(
                        it ->
                                it.kind()
                                        .map(
                                                kind ->
                                                        of(
                                                                kind, resource, namespace, lookup,
                                                                defaults)))
                : Optional.empty();
    }

    private static SnapshotJob of(
            ResourceKind kind,
            ObjectNode resource,
            String namespace,
            Lookup lookup,
            DefaultConfiguration defaults) {
        return kind == ResourceKind.FLINK_SESSION_JOB
                ? ofSession(resource, namespace, lookup, defaults)
                : ofDeployment(resource, namespace, defaults);
    }

    private static SnapshotJob ofDeployment(
            ObjectNode resource, String namespace, DefaultConfiguration defaults) {
        var spec = FlinkDeploymentSpec.parse(resource.path("spec"), "spec").value();
        return new SnapshotJob(
                ResourceKind.FLINK_DEPLOYMENT,
                name(resource),
                isSuspended(spec.job()),
                state(resource),
                Optional.of(
                        new Options(
                                defaults.effective(
                                        namespace,
                                        spec.flinkVersion(),
                                        spec.flinkConfiguration()))));
    }

    private static SnapshotJob ofSession(
            ObjectNode resource, String namespace, Lookup lookup, DefaultConfiguration defaults) {
        var spec = FlinkSessionJobSpec.parse(resource.path("spec"), "spec").value();
        return new SnapshotJob(
                ResourceKind.FLINK_SESSION_JOB,
                name(resource),
                isSuspended(spec.job()),
                state(resource),
                spec.deploymentName()
                        .map(
                                cluster ->
                                        lookup.findAtHand(
                                                ResourceKind.FLINK_DEPLOYMENT, namespace, cluster))
                        .flatMap(Lookup.Answer::deployment)
                        .map(
                                cluster ->
                                        new Options(
                                                defaults.effective(
                                                        namespace,
                                                        cluster.flinkVersion(),
                                                        cluster.flinkConfiguration(),
                                                        spec.flinkConfiguration()))));
    }

    private static boolean isSuspended(Optional<JobSpec> job) {
        return job.filter(it -> it.state() == DesiredJobState.SUSPENDED).isPresent();
    }

    private static String name(ObjectNode resource) {
        return resource.at("/metadata/name").asText("");
    }

    private static Optional<String> state(ObjectNode resource) {
        return Optional.of(resource.at("/status/jobStatus/state").asText(""))
                .filter(state -> !state.isEmpty());
    }
}
