// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.Optional;

/**
 * Everything that shapes one attempt at running a cluster.
 *
 * @param name the resource's name, which is Flink's cluster id too
 * @param uid the resource's uid, owner of what is rendered
 * @param spec the spec as the user wrote it, an application's or, without a job, a session
 *     cluster's
 * @param effective the operator's defaults with the spec's configuration on top
 * @param attempt what the Deployment is annotated with, 32 hexadecimal digits
 * @param jobId 32 hexadecimal digits; the id of the job before if its last state is restored, else
 *     a new one
 * @param replacedJob id of a job whose high-availability metadata are kept beside this one's
 */
public record ClusterPlan(
        String namespace,
        String name,
        String uid,
        long generation,
        FlinkDeploymentSpec spec,
        FlinkConfiguration effective,
        String attempt,
        String jobId,
        StartFrom from,
        Optional<String> replacedJob) {
    /**
     * Under which name Flink keeps the metadata of the cluster. In ZooKeeper each attempt at a job
     * has one of its own: nothing that a former attempt left there is run beside it. A session
     * cluster brings its jobs back, under the name that Flink gives it.
     */
    public String highAvailabilityClusterId() {
        return spec.job().isPresent() && new Options(effective).usesZooKeeper()
                ? name + "-" + attempt
                : name;
    }

    /**
     * How parallel the job is: as the autoscaler wants its widest vertex, else as its spec says.
     */
    int parallelism() {
        int slots = slots();
        return widest(effective)
                .or(() -> spec.taskManager().replicas().map(replicas -> replicas * slots))
                .or(() -> spec.job().flatMap(JobSpec::parallelism))
                .orElse(1);
    }

    /** How many TaskManagers a standalone cluster has. */
    public int taskManagers() {
        return taskManagers(spec, effective);
    }

    /** The same of any spec: what it says, else as many as the parallelism needs. */
    public static int taskManagers(FlinkDeploymentSpec spec, FlinkConfiguration effective) {
        int slots = slots(effective);
        return spec.taskManager()
                .replicas()
                .orElseGet(
                        () ->
                                Math.ceilDiv(
                                        widest(effective)
                                                .or(() -> spec.job().flatMap(JobSpec::parallelism))
                                                .orElse(1),
                                        slots));
    }

    private static Optional<Integer> widest(FlinkConfiguration effective) {
        return ParallelismOverrides.in(effective).byVertex().values().stream()
                .max(Integer::compare);
    }

    private int slots() {
        return slots(effective);
    }

    private static int slots(FlinkConfiguration effective) {
        return Math.max(1, new Options(effective).get(FlinkOptions.TASK_SLOTS));
    }

    FlinkVersion version() {
        return spec.flinkVersion().orElse(FlinkVersion.V1_20);
    }
}
