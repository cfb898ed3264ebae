// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.LifecycleState;
import java.util.Optional;

/** A resource as the autoscaler sees it. */
public sealed interface Subject {
    /** Autoscaling is not asked for, or there is no job to scale. */
    record Off() implements Subject {}

    /** Autoscaling is asked for, but this is no moment for it. */
    record Unsettled(FlinkConfiguration options, String why) implements Subject {}

    /** The job runs and its resource is settled. */
    record Scalable(FlinkConfiguration options, String jobId, Optional<Long> resetNonce)
            implements Subject {}

    static Subject of(FlinkDeployment resource, EffectiveConfiguration configuration) {
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(resource.getSpec(), "spec").value();
        if (spec.job().isEmpty()) {
            return new Off();
        }
        FlinkConfiguration options = options(resource, spec, configuration);
        return EngineOptions.isEnabled(options)
                ? settled(spec.job().get(), options, FlinkDeploymentStatus.of(resource.getStatus()))
                : new Off();
    }

    /** The effective configuration of a resource. */
    static FlinkConfiguration options(
            FlinkDeployment resource, EffectiveConfiguration configuration) {
        return options(
                resource,
                FlinkDeploymentSpec.parse(resource.getSpec(), "spec").value(),
                configuration);
    }

    private static FlinkConfiguration options(
            FlinkDeployment resource,
            FlinkDeploymentSpec spec,
            EffectiveConfiguration configuration) {
        return configuration.effective(
                resource.getMetadata().getNamespace(),
                spec.flinkVersion(),
                spec.flinkConfiguration());
    }

    private static Subject settled(
            JobSpec job, FlinkConfiguration options, FlinkDeploymentStatus status) {
        Optional<LifecycleState> lifecycle = status.lifecycleState();
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
        Optional<JobState> state = status.jobStatus().state();
        Optional<String> jobId = status.jobStatus().jobId();
        if (state.filter(JobState.RUNNING::equals).isEmpty() || jobId.isEmpty()) {
            return new Unsettled(
                    options,
                    "the job is "
                            + state.map(JobState::wire).orElse("not known yet")
                            + ", not RUNNING");
        }
        return new Scalable(options, jobId.get(), job.autoscalerResetNonce());
    }
}
