// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.act.HighAvailabilityMetadata;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.model.Action;
import io.sluice.operator.simulation.SimulatedOperator.Replica;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.FlinkStorage;
import io.sluice.testkit.sim.Launch;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the simulated operator does to its cluster and its resource, with faults. */
final class SimulatedEffects {
    private final World world;
    private final Environment environment;
    private final Set<Flaws> flaws;
    private final SimulatedLeadership leadership;
    private final Supplier<Replica> process;
    private final SimulatedConsent consent;
    private final SimulatedPromises promises;
    private final SimulatedSavings savings;
    private final SimulatedPulls pulls;

    /**
     * @param process the one whose pass is under way
     */
    SimulatedEffects(
            World world,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            Supplier<Replica> process,
            SimulatedConsent consent,
            SimulatedPromises promises,
            SimulatedSavings savings,
            SimulatedPulls pulls) {
        this.pulls = pulls;
        this.world = world;
        this.environment = world.environment();
        this.flaws = flaws;
        this.leadership = leadership;
        this.process = process;
        this.consent = consent;
        this.promises = promises;
        this.savings = savings;
    }

    void perform(FlinkDeployment resource, Action action) {
        leadership.pause();
        process.get().acted = true;
        if (pulls.isAsked() && SimulatedPulls.isBadEnd(action, process.get().found)) {
            promises.broken("a running job is ended for an image that can't be pulled");
        }
        switch (action) {
            case Action.CreateCluster(var plan) -> create(plan);
            case Action.DeleteCluster(var uid, _) -> delete(resource, uid);
            case Action.StopJobManager(var uid) ->
                    remove(resource, uid, "stop", world.cluster()::stopJobManager);
            case Action.StopWithSavepoint(var jobId, var request) ->
                    effect(
                            "stop " + request.triggerId().substring(0, 6),
                            process ->
                                    process.askToStop(
                                            jobId,
                                            trigger(request.triggerId()),
                                            leadership.hasStood() || promises.isTampered(),
                                            request.folder().isPresent()));
            case Action.CancelJob _
                    when flaws.contains(Flaws.REMOVED_UNCANCELLED)
                            && SimulatedPromises.isStateless(resource) ->
                    world.cluster()
                            .objects()
                            .latest()
                            .deployment()
                            .ifPresent(standing -> delete(resource, standing.uid()));
            case Action.CancelJob(var jobId) -> {
                promises.checkCancellation(resource, jobId);
                effect("cancel", process -> process.cancel(jobId));
            }
            case Action.ScaleInPlace(_, var bounds) ->
                    effect(
                            "scale",
                            process -> process.rescale(bounds.values().iterator().next().upper()));
            case Action.TriggerSavepoint asked -> savings.savepoint(asked, leadership.leads());
            case Action.TriggerCheckpoint asked -> savings.checkpoint(asked, leadership.leads());
            case Action.DisposeSavepoint(var location) ->
                    savings.dispose(
                            resource.getMetadata().getUid(), location, process.get().memory);
            case Action.PullImages wanted ->
                    pulls.create(wanted, process.get().memory.imagePulls());
            case Action.DeletePullPod unneeded -> pulls.delete(unneeded);
            case Action.ProvideTaskManagers _,
                    Action.ProvideServices _,
                    Action.DeleteTaskManagers _,
                    Action.Release _ -> {}
            case Action.CreateSnapshot _ ->
                    throw new IllegalArgumentException("FlinkStateSnapshots are not served");
            case Action.UploadJar _, Action.RunJar _, Action.DeleteJar _ ->
                    throw new IllegalStateException("an application has no jar to hand over");
        }
    }

    private void effect(String name, Consumer<FlinkProcess> effect) {
        environment.faults().effect(name, () -> world.cluster().answering().ifPresent(effect));
    }

    private String trigger(String recorded) {
        return flaws.contains(Flaws.RANDOM_TRIGGER)
                ? recorded + environment.dice().below(1000)
                : recorded;
    }

    private void create(ClusterPlan plan) {
        String attempt = plan.attempt();
        if (environment.faults().strikes(5)) {
            process.get().rejectedManifests.remember(plan.uid(), attempt, "quota exceeded");
            return;
        }
        if (!isCurrent(plan.uid()) && !leadership.has(LeadershipFlaws.SUPERSEDED_IS_CREATED)) {
            return;
        }
        if (world.cluster().objects().latest().deployment().isEmpty()) {
            Optional<String> objection = prepare(plan);
            if (objection.isPresent()) {
                process.get().rejectedManifests.remember(plan.uid(), attempt, objection.get());
                return;
            }
        }
        process.get().rejectedManifests.forget(plan.uid());
        String content = Specs.content(plan.spec());
        promises.checkEnd(plan, content);
        Launch launch = launch(plan);
        environment
                .faults()
                .effect(
                        "create " + attempt.substring(0, 6) + " from " + plan.from(),
                        () -> {
                            Written written =
                                    world.cluster().create(launch, plan.generation(), content);
                            if (written == Written.DONE) {
                                promises.created();
                                consent.created(plan, launch);
                            }
                        });
    }

    /** Whether the resource is as this pass stored it. */
    private boolean isCurrent(String uid) {
        return world.resource()
                .latest()
                .filter(now -> now.uid().equals(uid) && now.version() == process.get().ownWrite)
                .isPresent();
    }

    /** What {@link HighAvailabilityMetadata} does in a real cluster. */
    private Optional<String> prepare(ClusterPlan plan) {
        FlinkStorage storage = world.cluster().storage();
        if (plan.from() instanceof StartFrom.LastState
                && !storage.recoverable().contains(plan.jobId())) {
            return Optional.of("no metadata");
        }
        boolean isPrecious =
                plan.from() instanceof StartFrom.Nothing
                        && !isStateless(plan)
                        && storage.recoverable().stream().anyMatch(it -> !it.equals(plan.jobId()));
        if (isPrecious) {
            return Optional.of("metadata of an earlier job");
        }
        environment
                .faults()
                .effect(
                        "prepare metadata",
                        () -> {
                            if (!(plan.from() instanceof StartFrom.LastState)) {
                                storage.clearMetadata(
                                        isStateless(plan)
                                                ? Optional.empty()
                                                : Optional.of(plan.jobId()));
                            }
                            if (!flaws.contains(Flaws.JOB_GRAPH_KEPT)) {
                                storage.clearGraphs();
                            }
                        });
        return Optional.empty();
    }

    private Launch launch(ClusterPlan plan) {
        boolean lossy =
                flaws.contains(Flaws.ROLLBACK_WITHOUT_STATE) && isRollingBack(plan.attempt());
        Optional<String> path = lossy ? Optional.empty() : RestorableState.recorded(plan.from());
        return new Launch(
                plan.attempt(),
                plan.jobId(),
                path,
                metadata(plan),
                consent.allows(plan, path),
                plan.spec().flinkVersion().map(FlinkVersion::wire).orElse(""),
                saving(plan));
    }

    private Launch.Metadata metadata(ClusterPlan plan) {
        Options effective = new Options(plan.effective());
        if (effective.usesZooKeeper()) {
            return new Launch.Metadata.ZooKeeper(
                    flaws.contains(Flaws.ONE_NAME_IN_ZOOKEEPER)
                            ? plan.name()
                            : plan.highAvailabilityClusterId());
        }
        return effective.isHighlyAvailable()
                ? new Launch.Metadata.ConfigMaps()
                : new Launch.Metadata.None();
    }

    private static Launch.StateSupport saving(ClusterPlan plan) {
        Options effective = new Options(plan.effective());
        return new Launch.StateSupport(
                !effective.value(FlinkOptions.DELETES_RESULTS).orElse(false),
                Specs.makesCheckpoints(plan.spec(), effective),
                !effective.text(Specs.RETENTION).equals(Optional.of(Specs.DELETE)),
                effective.text(Specs.FOLDER).isPresent());
    }

    private boolean isRollingBack(String attempt) {
        return world.resource()
                .latest()
                .filter(now -> now.status().at("/attempt/id").asText().equals(attempt))
                .filter(now -> now.status().at("/attempt/rolledBack").asBoolean())
                .isPresent();
    }

    private static boolean isStateless(ClusterPlan plan) {
        return plan.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                == UpgradeMode.STATELESS;
    }

    private void delete(FlinkDeployment resource, String uid) {
        remove(resource, uid, "delete", world.cluster()::delete);
    }

    private void remove(
            FlinkDeployment resource, String uid, String how, Consumer<String> removal) {
        boolean stands =
                world.cluster().objects().latest().deployment().stream()
                        .anyMatch(deployment -> deployment.uid().equals(uid));
        if (!stands || !isCurrent(resource.getMetadata().getUid())) {
            return;
        }
        if (!leadership.hasStood()) {
            promises.checkRemoval(resource, uid, process.get().found);
        }
        environment
                .faults()
                .effect(
                        how + " " + uid,
                        () -> {
                            if (flaws.contains(Flaws.DELETION_NOT_AWAITED)) {
                                world.cluster().deleteBehindTheBack();
                            } else {
                                removal.accept(uid);
                            }
                        });
    }

    void release(Resource read) {
        leadership.pause();
        if (world.resource().latest().filter(now -> now.uid().equals(read.uid())).isEmpty()) {
            return;
        }
        promises.checkRelease();
        world.resource()
                .latest()
                .filter(now -> now.uid().equals(read.uid()))
                .ifPresent(
                        now ->
                                environment
                                        .faults()
                                        .effect(
                                                "remove finalizer",
                                                () -> {
                                                    world.cluster()
                                                            .storage()
                                                            .clearMetadata(Optional.empty());
                                                    world.cluster().storage().clearGraphs();
                                                    process.get()
                                                            .own(world.setFinalizer(now, false));
                                                }));
    }
}
