// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.artifact.ArtifactCache;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.WebArtifacts;
import io.sluice.operator.config.Settings;
import io.sluice.operator.cron.CronEffects;
import io.sluice.operator.cron.CronJobs;
import io.sluice.operator.cron.CronObserver;
import io.sluice.operator.deployment.Children;
import io.sluice.operator.deployment.ClusterObserver;
import io.sluice.operator.deployment.FlinkDeploymentPass;
import io.sluice.operator.deployment.Passes;
import io.sluice.operator.deployment.HealthWatch;
import io.sluice.operator.deployment.KubernetesEffects;
import io.sluice.operator.deployment.Mounts;
import io.sluice.operator.deployment.Refusals;
import io.sluice.operator.deployment.RestAddress;
import io.sluice.operator.deployment.RunMemory;
import io.sluice.operator.deployment.Steady;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.ResourceFacts;
import io.sluice.operator.sessionjob.SessionJobObserver.Around;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.process.Uptime;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.function.Supplier;

/** How each kind is passed over, wired. */
record Kinds(
        Settings settings,
        KubernetesClient client,
        JobManagerRest rest,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        EventRecorder narrator,
        OperatorMetrics metrics,
        InstantSource clock) {
    Passes<FlinkDeployment, Children> deployments() {
        RestAddress address = address();
        Refusals refusals = new Refusals();
        var watch = new HealthWatch();
        RunMemory memory = new RunMemory();
        var mounts = new Mounts(pod -> Children.events(client, pod), clock);
        var effects = new KubernetesEffects(client, rest, address, refusals, memory);
        var steady = new Steady(rest, address, defaults, memory, clock);
        Passes<FlinkDeployment, Children> applications =
                (resource, children, store) -> {
                    var observer =
                            new ClusterObserver(
                                    _ -> children,
                                    read -> Children.live(client, read),
                                    read -> Children.guests(client, read),
                                    read -> Children.recoverable(client, read),
                                    mounts::failure,
                                    rest,
                                    address,
                                    defaults.get(),
                                    validators,
                                    refusals,
                                    watch,
                                    memory,
                                    clock);
                    return steady.noting(
                            resource,
                            children,
                            observer,
                            noting ->
                                    new FlinkDeploymentPass(
                                                    noting, store, effects, narrator, memory)
                                            .run(resource));
                };
        return metrics.counted(
                steady.around(
                        new CronJobs(
                                new CronObserver(client, defaults, validators, refusals, clock),
                                new CronEffects(client, refusals),
                                narrator,
                                new Ingresses(
                                        client,
                                        defaults,
                                        Ingresses.gateway(defaults.get()),
                                        narrator,
                                        applications))),
                ResourceFacts::of);
    }

    Passes<FlinkSessionJob, Around> sessionJobs() {
        return metrics.counted(
                new SessionJobs(client, rest, address(), artifacts(), defaults, validators, clock)
                        .passes(narrator::tell),
                ResourceFacts::of);
    }

    private RestAddress address() {
        return new RestAddress(settings.restTemplate(), defaults);
    }

    private Artifacts artifacts() {
        return new WebArtifacts(ArtifactCache.of(new Options(defaults.get().own())), new Uptime());
    }
}
