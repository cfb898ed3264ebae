// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.SimulatedFault;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's process in a simulated world: the production pass, with ports that fail. A crash
 * starts a new process, which remembers nothing.
 */
final class SimulatedOperator {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final World world;
    private final Environment environment;
    private final Set<Flaws> flaws;
    private History.LateReader<Optional<Resource>> resources;
    private SimulatedObserver observer;
    private Map<String, String> refusals = new HashMap<>();
    private long ownWrite;
    private int statusWrites;
    private Optional<String> wrong = Optional.empty();

    SimulatedOperator(World world, Set<Flaws> flaws) {
        this.world = world;
        this.environment = world.environment();
        this.flaws = flaws;
        resources = world.resource().watch();
        observer = new SimulatedObserver(world, flaws, refusals);
    }

    /** What no pass may ever do, once one has done it. */
    Optional<String> wrong() {
        return wrong;
    }

    int statusWrites() {
        return statusWrites;
    }

    /** One pass, however it ends. */
    void pass() {
        try {
            resources
                    .read(environment.faults(), environment.dice(), 25)
                    .filter(read -> read.version() >= ownWrite)
                    .ifPresent(this::pass);
        } catch (SimulatedFault.Crash _) {
            resources = world.resource().watch();
            refusals = new HashMap<>();
            observer = new SimulatedObserver(world, flaws, refusals);
            ownWrite = 0;
        } catch (SimulatedFault.LostCall lost) {
            environment.trace().add("      retries after " + lost.getMessage());
        }
    }

    private void pass(Resource read) {
        if (!read.finalizer()) {
            if (!read.deleting()) {
                environment
                        .faults()
                        .effect("add finalizer", () -> own(world.setFinalizer(read, true)));
            }
            return;
        }
        FlinkDeployment resource = resource(read);
        if (flaws.contains(Flaws.STATUS_AFTER_EFFECT)) {
            Decision decision = Decider.decide(observer.observe(resource));
            decision.actions().forEach(action -> perform(resource, action));
            save(read, decision.status().onto(resource.getStatus()));
            return;
        }
        var outcome =
                new FlinkDeploymentPass(
                                observer,
                                (_, status) -> save(read, status),
                                this::perform,
                                (_, _) -> {})
                        .run(resource);
        environment.trace().add("      " + outcome.reason() + " " + outcome.checkAgain());
        if (outcome.released()) {
            release(read);
        }
    }

    private boolean save(Resource read, ObjectNode status) {
        Written written =
                environment
                        .faults()
                        .effect(
                                "save status " + status.at("/conditions/1/reason").asText(),
                                () -> own(world.replaceStatus(read, asStored(status))));
        if (written == Written.DONE) {
            statusWrites++;
            noteFreshStart(read, status);
        }
        return written == Written.DONE;
    }

    /** Seen by an earlier pass, or there to be seen by this one. */
    private boolean isStateKnown(Resource read) {
        return !read.status().at("/jobStatus/startTime").isMissingNode()
                || world.cluster().objects().latest().pods().stream()
                        .anyMatch(pod -> pod.job().isPresent());
    }

    private Written own(Written written) {
        if (written == Written.DONE) {
            ownWrite = world.resource().latest().map(Resource::version).orElse(0L);
        }
        return written;
    }

    private void perform(FlinkDeployment resource, Action action) {
        switch (action) {
            case Action.CreateCluster(var plan) ->
                    create(plan.jobId(), plan.generation(), plan.spec().image().orElse(""));
            case Action.DeleteCluster(var uid) -> delete(resource, uid);
            case Action.ScaleInPlace(_, var bounds) ->
                    environment
                            .faults()
                            .effect(
                                    "scale",
                                    () ->
                                            world.cluster()
                                                    .rescale(
                                                            bounds.values()
                                                                    .iterator()
                                                                    .next()
                                                                    .upper()));
            case Action.ReleaseResource() -> {}
        }
    }

    private void create(String attempt, long generation, String content) {
        if (environment.faults().strikes(5)) {
            refusals.put(attempt, "quota exceeded");
            return;
        }
        refusals.remove(attempt);
        environment
                .faults()
                .effect(
                        "create " + attempt.substring(0, 6) + " of generation " + generation,
                        () -> world.cluster().create(attempt, generation, content));
    }

    /** A new attempt is being recorded: from here on the former one may be removed. */
    private void noteFreshStart(Resource read, ObjectNode status) {
        String before = read.status().at("/jobStatus/jobId").asText();
        String after = status.at("/jobStatus/jobId").asText();
        if (Specs.isStateful(read) && !before.equals(after) && isStateKnown(read)) {
            wrong = Optional.of("a job whose state was known is started afresh");
        }
    }

    private void delete(FlinkDeployment resource, String uid) {
        Optional<Resource> latest = world.resource().latest();
        boolean isUnwanted =
                latest.isEmpty()
                        || latest.get().deleting()
                        || !latest.get().uid().equals(resource.getMetadata().getUid());
        boolean sparesIt =
                world.cluster().objects().latest().deployment().stream()
                        .filter(
                                deployment ->
                                        deployment.uid().equals(uid) && !deployment.terminating())
                        .anyMatch(
                                deployment ->
                                        latest.filter(now -> Specs.isWhatRuns(now, deployment))
                                                .isPresent());
        if (!isUnwanted && sparesIt) {
            wrong = Optional.of("a cluster that runs what the user wants was removed: " + uid);
        }
        environment
                .faults()
                .effect(
                        "delete " + uid,
                        () -> {
                            if (flaws.contains(Flaws.DELETION_NOT_AWAITED)) {
                                world.cluster().deleteBehindTheBack();
                            } else {
                                world.cluster().delete(uid);
                            }
                        });
    }

    private void release(Resource read) {
        if (!world.cluster().objects().latest().isEmpty()) {
            wrong = Optional.of("released while something was left: " + world.describe());
        }
        world.resource()
                .latest()
                .filter(now -> now.uid().equals(read.uid()))
                .ifPresent(
                        now ->
                                environment
                                        .faults()
                                        .effect(
                                                "remove finalizer",
                                                () -> own(world.setFinalizer(now, false))));
    }

    private static ObjectNode asStored(ObjectNode status) {
        try {
            return (ObjectNode) JSON.readTree(status.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static FlinkDeployment resource(Resource read) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace("shop");
        resource.getMetadata().setName("orders");
        resource.getMetadata().setUid(read.uid());
        resource.getMetadata().setGeneration(read.generation());
        resource.getMetadata().setResourceVersion(Long.toString(read.version()));
        if (read.deleting()) {
            resource.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        }
        resource.setSpec(read.spec());
        resource.setStatus(read.status());
        return resource;
    }
}
