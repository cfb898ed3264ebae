// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.Map;
import java.util.Optional;

/** A resource as the autoscaler sees it. */
public sealed interface Subject {
    /** Autoscaling is not asked for, or there is no job to scale. */
    record Off() implements Subject {}

    /** Autoscaling is asked for, but this is no moment for it. */
    record Unsettled(FlinkConfiguration options, String why) implements Subject {}

    /**
     * The job runs and its resource is settled.
     *
     * @param cluster name of the FlinkDeployment it runs on: its own, or its session cluster's
     * @param taskManager what one TaskManager takes
     * @param slotsEach how many slots it offers
     */
    record Scalable(
            FlinkConfiguration options,
            String jobId,
            Optional<Long> resetNonce,
            String cluster,
            Footprint taskManager,
            int slotsEach)
            implements Subject {}

    /** What its options say about how often to look; empty if nobody asks for a look. */
    default Optional<FlinkConfiguration> optionsIfOn() {
        return switch (this) {
            case Off _ -> Optional.empty();
            case Unsettled(var options, _) -> Optional.of(options);
            case Scalable scalable -> Optional.of(scalable.options());
        };
    }

    static Subject of(FlinkDeployment resource, EffectiveConfiguration configuration) {
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(resource.getSpec(), "spec").value();
        if (spec.job().isEmpty()) {
            return new Off();
        }
        FlinkConfiguration options =
                configuration.effective(
                        resource.getMetadata().getNamespace(),
                        spec.flinkVersion(),
                        FlinkConfiguration.EMPTY,
                        spec.flinkConfiguration());
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(resource.getStatus());
        Cluster cluster = Cluster.of(resource.getMetadata().getName(), spec, options);
        return settled(
                spec.job().get(),
                withMemory(options, cluster.taskManager().memory()),
                status.lifecycleState(),
                status.jobStatus(),
                cluster);
    }

    /** What memory is tuned from is an option of Flink; the resource says it elsewhere. */
    private static FlinkConfiguration withMemory(FlinkConfiguration options, long bytes) {
        return bytes == 0
                ? options
                : options.with(
                        new FlinkConfiguration(
                                Map.of(FlinkOptions.TASK_MANAGER_MEMORY.key(), bytes + " bytes")));
    }

    /**
     * A job of a session cluster.
     *
     * @param session its cluster's resource; empty if there is none of that name
     */
    static Subject of(
            FlinkSessionJob resource,
            Optional<FlinkDeployment> session,
            EffectiveConfiguration configuration) {
        FlinkSessionJobSpec spec = FlinkSessionJobSpec.parse(resource.getSpec(), "spec").value();
        if (spec.job().isEmpty()) {
            return new Off();
        }
        FlinkDeploymentSpec clusterSpec =
                session.map(cluster -> FlinkDeploymentSpec.parse(cluster.getSpec(), "spec").value())
                        .orElse(FlinkDeploymentSpec.EMPTY);
        FlinkConfiguration options =
                configuration.effective(
                        resource.getMetadata().getNamespace(),
                        clusterSpec.flinkVersion(),
                        clusterSpec.flinkConfiguration(),
                        spec.flinkConfiguration());
        if (session.isEmpty()) {
            return EngineOptions.isEnabled(options)
                    ? new Unsettled(
                            options,
                            "there is no FlinkDeployment '"
                                    + resource.cluster().orElse("")
                                    + "', the session cluster of the job")
                    : new Off();
        }
        FlinkSessionJobStatus status = FlinkSessionJobStatus.of(resource.getStatus());
        Cluster cluster = Cluster.of(session.get().getMetadata().getName(), clusterSpec, options);
        return settled(
                spec.job().get(), options, status.lifecycleState(), status.jobStatus(), cluster);
    }

    /**
     * A job that was found on a Flink cluster.
     *
     * @param state as Flink calls it
     */
    static Subject of(String clusterName, String jobId, String state, FlinkConfiguration options) {
        if (!EngineOptions.isEnabled(options)) {
            return new Off();
        }
        if (!state.equals("RUNNING")) {
            return new Unsettled(options, "the job is " + state + ", not RUNNING");
        }
        if (!EngineOptions.isInPlace(options)) {
            return new Unsettled(
                    options,
                    FlinkOptions.SCHEDULER.key()
                            + " is '"
                            + new Options(options).get(FlinkOptions.SCHEDULER)
                            + "': only adaptive can change a job's parallelism as it runs; set it"
                            + " in the configuration of its JobManager");
        }
        Cluster cluster = Cluster.of(clusterName, options);
        return new Scalable(
                options,
                jobId,
                Optional.empty(),
                cluster.name(),
                cluster.taskManager(),
                cluster.slotsEach());
    }

    private static Subject settled(
            JobSpec job,
            FlinkConfiguration options,
            Optional<LifecycleState> lifecycle,
            JobStatus status,
            Cluster cluster) {
        if (!EngineOptions.isEnabled(options)) {
            return new Off();
        }
        boolean settled =
                lifecycle
                        .filter(
                                state ->
                                        state == LifecycleState.STABLE
                                                || state == LifecycleState.DEPLOYED)
                        .isPresent();
        if (!settled) {
            return new Unsettled(
                    options,
                    "the resource is "
                            + lifecycle.map(LifecycleState::wire).orElse("new")
                            + ", not DEPLOYED or STABLE");
        }
        boolean runs = status.state().filter(JobState.RUNNING::equals).isPresent();
        if (!runs || status.jobId().isEmpty()) {
            return new Unsettled(
                    options,
                    "the job is "
                            + status.state().map(JobState::wire).orElse("not known yet")
                            + ", not RUNNING");
        }
        return new Scalable(
                options,
                status.jobId().get(),
                job.autoscalerResetNonce(),
                cluster.name(),
                cluster.taskManager(),
                cluster.slotsEach());
    }
}
