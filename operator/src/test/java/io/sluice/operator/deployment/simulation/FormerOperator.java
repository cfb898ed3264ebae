// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.hands.FormerStatus;
import io.sluice.operator.observe.JobManagerScaleDown;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.testkit.sim.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The Apache operator, which had the resource up to now and ends at any point of what it does. What
 * it has asked Flink for may still be under way, and its status is in its own words, by what it has
 * seen of the world; nothing of Sluice is on record.
 */
final class FormerOperator {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String SAVEPOINT = "savepoint";
    private static final String UPGRADING = "UPGRADING";
    private static final String DEPLOYED = "DEPLOYED";

    private final DeploymentWorld world;
    private final Dice dice;

    FormerOperator(DeploymentWorld world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** What it leaves of the resource; empty if it would never have left it like that. */
    Optional<ObjectNode> leaves(FlinkDeployment resource) {
        Optional<Deployment> there = world.node().deployment(resource.getMetadata().getUid());
        if (there.filter(it -> JobManagerScaleDown.isMarked(it)).isPresent()) {
            return Optional.empty();
        }
        return there.isPresent() ? ofCluster(resource, there.get()) : ofRest(resource);
    }

    private Optional<ObjectNode> ofCluster(FlinkDeployment resource, Deployment deployment) {
        return world.node()
                .launch(deployment)
                .map(launch -> pick(statuses(resource, deployment, launch)));
    }

    private ObjectNode pick(List<Supplier<FormerStatus>> statuses) {
        return dice.pick(statuses).get().node();
    }

    private List<Supplier<FormerStatus>> statuses(
            FlinkDeployment resource, Deployment deployment, FlinkLaunch launch) {
        Optional<FlinkProcess> process = world.node().processOf(launch.deployment());
        ObjectNode ran = world.oracle().spec(launch.generation());
        boolean isEdited = resource.getMetadata().getGeneration() > launch.generation();
        List<Supplier<FormerStatus>> all = new ArrayList<>();
        Supplier<FormerStatus> steady = () -> steady(launch, process, ran);
        all.add(steady);
        all.add(() -> unrecorded(launch, ran));
        if (process.filter(FlinkProcess::tasksUp).isPresent()) {
            all.add(() -> saving(steady.get(), process.orElseThrow()));
            if (isEdited) {
                all.add(() -> stopping(steady.get(), process.orElseThrow()));
                all.add(() -> cancelling(launch, process.orElseThrow(), ran));
            }
        }
        if (isEdited && hasMetadata(launch.jobId())) {
            all.add(() -> deleted(deployment, resource, launch, ran));
        }
        process.filter(FlinkProcess::hasEnded)
                .filter(_ -> isEdited)
                .flatMap(it -> it.lastSavepoint())
                .filter(path -> best().filter(it -> it.path().equals(path)).isPresent())
                .ifPresent(
                        path ->
                                all.add(
                                        () ->
                                                stopped(
                                                        resource,
                                                        ran,
                                                        launch.jobId(),
                                                        path,
                                                        "READY")));
        return all;
    }

    private Optional<State> best() {
        return world.oracle().best();
    }

    private boolean hasMetadata(String jobId) {
        return best().filter(
                        best ->
                                FlinkMetadata.named(world, jobId).stream()
                                        .anyMatch(it -> it.holds(best)))
                .isPresent();
    }

    private FormerStatus status() {
        world.oracle().forgetsEnd();
        return new FormerStatus(dice, world.now());
    }

    /** It has seen it run, or come up; whatever was edited since waits. */
    private FormerStatus steady(
            FlinkLaunch launch, Optional<FlinkProcess> process, ObjectNode ran) {
        String jobManager =
                process.filter(FlinkProcess::isUp).isPresent()
                        ? "READY"
                        : dice.chance(50) ? "DEPLOYING" : "DEPLOYED_NOT_READY";
        Optional<FlinkProcess> seen = process.filter(it -> it.state().isPresent());
        boolean isStable = seen.filter(FlinkProcess::tasksUp).isPresent() || dice.chance(30);
        world.trace("the Apache operator leaves it as it is, " + jobManager);
        FormerStatus status =
                status().reconciled(DEPLOYED, isStable ? "STABLE" : DEPLOYED, launch.generation())
                        .jobManager(jobManager)
                        .job(
                                launch.jobId(),
                                seen.filter(FlinkProcess::isLive)
                                        .flatMap(FlinkProcess::state)
                                        .map(FormerOperator::told)
                                        .orElse("RECONCILING"),
                                seen.map(it -> it.overview().startTime()))
                        .path(launch.path())
                        .last(ran, false);
        return isStable ? status.stable(ran) : status;
    }

    /** A job whose tasks do not run yet is CREATED in its words. */
    private static String told(String state) {
        return state.equals("INITIALIZING") ? "CREATED" : state;
    }

    /** It has made the cluster and did not live to record that. */
    private FormerStatus unrecorded(FlinkLaunch launch, ObjectNode ran) {
        boolean isFirst = world.oracle().isFirst(launch.generation()) && dice.chance(70);
        boolean isByMetadata =
                !isFirst
                        && launch.path().isEmpty()
                        && !FlinkMetadata.named(world, launch.jobId()).isEmpty();
        String restoredBy =
                isByMetadata ? "last-state" : launch.path().isPresent() ? SAVEPOINT : "stateless";
        world.trace("the Apache operator has not recorded the cluster that it has made");
        return status().reconciled(UPGRADING, UPGRADING, launch.generation())
                .jobManager("MISSING")
                .job(launch.jobId(), "RECONCILING", Optional.empty())
                .path(isByMetadata ? Optional.of(FormerStatus.LAST_STATE) : launch.path())
                .last(FormerStatus.suspended(ran, restoredBy), isFirst);
    }

    private FormerStatus saving(FormerStatus status, FlinkProcess process) {
        String trigger = trigger();
        world.trace("the Apache operator waits for a savepoint");
        process.ask(Kind.SAVEPOINT, process.jobId(), trigger, Optional.empty());
        return status.saving(trigger, world.now());
    }

    private String trigger() {
        return "a".repeat(20) + world.newName();
    }

    /** It waits in its process, so that nothing is on record. */
    private FormerStatus stopping(FormerStatus status, FlinkProcess process) {
        world.trace("the Apache operator has asked for a stop");
        world.othersAct();
        process.stopByHand(trigger());
        return status;
    }

    private FormerStatus cancelling(FlinkLaunch launch, FlinkProcess process, ObjectNode ran) {
        if (!launch.retainsCheckpoints() || !launch.hasCheckpoints()) {
            return stopping(steady(launch, Optional.of(process), ran), process);
        }
        world.trace("the Apache operator has cancelled the job");
        process.cancel();
        return status().reconciled(UPGRADING, UPGRADING, launch.generation())
                .jobManager("READY")
                .job(launch.jobId(), "CANCELLING", Optional.of(process.overview().startTime()))
                .path(launch.path())
                .last(restoredBy(ran, SAVEPOINT), false)
                .stable(ran);
    }

    private static ObjectNode restoredBy(ObjectNode spec, String mode) {
        ObjectNode copy = spec.deepCopy();
        copy.withObject("/job").put("upgradeMode", mode);
        return copy;
    }

    /** An upgrade by the last state; whether it is on record or not. */
    private FormerStatus deleted(
            Deployment deployment, FlinkDeployment resource, FlinkLaunch launch, ObjectNode ran) {
        Optional<FlinkProcess> process = world.node().processOf(launch.deployment());
        FormerStatus unrecorded = steady(launch, process, ran);
        world.trace("the Apache operator has deleted the cluster for its last state");
        world.client().resource(deployment).delete();
        return dice.chance(30) ? unrecorded : byMetadata(resource, ran, launch.jobId());
    }

    private FormerStatus byMetadata(FlinkDeployment resource, ObjectNode ran, String jobId) {
        return rests(resource, ran, "last-state")
                .jobManager("MISSING")
                .job(jobId, "RECONCILING", Optional.of(world.now().minusSeconds(60)))
                .path(dice.chance(50) ? Optional.of(FormerStatus.LAST_STATE) : Optional.empty());
    }

    /** The job has ended with a savepoint, which is on record. */
    private FormerStatus stopped(
            FlinkDeployment resource,
            ObjectNode ran,
            String jobId,
            String path,
            String jobManager) {
        FormerStatus status =
                rests(resource, ran, SAVEPOINT)
                        .jobManager(jobManager)
                        .job(jobId, "FINISHED", Optional.of(world.now().minusSeconds(60)));
        world.trace("the Apache operator has the path on record: " + path);
        world.oracle().best().ifPresent(it -> world.oracle().tellsEndOf(it.line()));
        return dice.chance(30)
                ? status.olderPath(path, world.now())
                : status.path(Optional.of(path));
    }

    /** No cluster runs, as the user asks for that or the next one is about to be made. */
    private FormerStatus rests(FlinkDeployment resource, ObjectNode ran, String restoredBy) {
        long generation = resource.getMetadata().getGeneration();
        boolean isWanted = resource.getSpec().at("/job/state").asText().equals("suspended");
        world.trace("the Apache operator has " + (isWanted ? "suspended it" : "begun an upgrade"));
        return isWanted
                ? status().reconciled(DEPLOYED, "SUSPENDED", generation)
                        .last(FormerStatus.suspended(resource.getSpec(), restoredBy), false)
                        .stable(FormerStatus.suspended(resource.getSpec(), restoredBy))
                : status().reconciled(UPGRADING, UPGRADING, generation)
                        .last(FormerStatus.suspended(ran, restoredBy), false)
                        .stable(ran);
    }

    /**
     * Nothing of a cluster stands, but for pods that are about to go. A job that these have yet to
     * begin is the one that it has on record, and of which the world does not know.
     */
    private Optional<ObjectNode> ofRest(FlinkDeployment resource) {
        Optional<String> job = world.oracle().job();
        Optional<ObjectNode> started = world.oracle().started();
        boolean isAnotherToBegin =
                world.node()
                        .processes()
                        .filter(it -> it.state().isEmpty())
                        .anyMatch(it -> !job.equals(Optional.of(it.jobId())));
        if (best().isEmpty() || job.isEmpty() || started.isEmpty() || isAnotherToBegin) {
            return Optional.empty();
        }
        ObjectNode ran = started.get();
        if (hasMetadata(job.get())) {
            return Optional.of(byMetadata(resource, ran, job.get()).node());
        }
        return best().map(State::path)
                .filter(path -> world.states().find(path).isPresent())
                .map(path -> stopped(resource, ran, job.get(), path, "MISSING").node());
    }

    /** Takes from the resource and its cluster whatever only Sluice writes. */
    void write(FlinkDeployment resource, ObjectNode status) {
        world.node()
                .deployment(resource.getMetadata().getUid())
                .ifPresent(
                        it ->
                                world.client()
                                        .resource(it)
                                        .patch(
                                                MERGE,
                                                "{\"metadata\":{\"annotations\":{\"%s\":null}}}"
                                                        .formatted(
                                                                ManifestRenderer
                                                                        .ATTEMPT_ANNOTATION)));
        world.replaceStatus(resource, status);
    }
}
