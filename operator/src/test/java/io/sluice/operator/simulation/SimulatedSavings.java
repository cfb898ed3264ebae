// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.Action;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the simulated operator saves and deletes, and what must hold when it does. */
final class SimulatedSavings {
    static final String MAX_AGE =
            "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";
    static final Duration LIMIT = Duration.ofSeconds(8);
    private static final String ON_DELETION = "kubernetes.operator.job.savepoint-on-deletion";
    private static final String TAKEN_UP = "/reconciliationStatus/reconciliationTimestamp";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final World world;
    private final Function<String, Optional<FlinkProcess>> processes;
    private final Environment environment;
    private final Set<Flaws> flaws;
    private Instant deletingSince = Instant.MAX;
    private Instant stopAt = Instant.MAX;

    /** Of the attempt on record; a JobManager that restarts forgets them. */
    private final Set<String> failedStops = new HashSet<>();

    private String attempt = "";
    private Optional<String> wrong = Optional.empty();

    /**
     * @param processes the one that answers for the job of an id, if one does
     */
    SimulatedSavings(
            World world, Function<String, Optional<FlinkProcess>> processes, Set<Flaws> flaws) {
        this.world = world;
        this.processes = processes;
        this.environment = world.environment();
        this.flaws = flaws;
    }

    Optional<String> wrong() {
        return wrong;
    }

    /** Whether the savepoint at {@code path} is on record as one that is being deleted. */
    boolean isDeleting(String path) {
        return history()
                .anyMatch(
                        state ->
                                state.path("location").asText().equals(path)
                                        && state.has("disposal"));
    }

    /**
     * @param leads whether the operator that asks does; one that stood still may ask for what was
     *     made meanwhile, which a JobManager that restarted since makes again: one file too many
     */
    void savepoint(Action.TriggerSavepoint action, boolean leads) {
        ask("savepointInfo", action.jobId(), action.request().triggerId(), leads);
    }

    void checkpoint(Action.TriggerCheckpoint action, boolean leads) {
        ask("checkpointInfo", action.jobId(), action.request().triggerId(), leads);
    }

    private void ask(String field, String jobId, String triggerId, boolean leads) {
        JsonNode record = status().path("jobStatus").path(field);
        boolean isOnRecord = record.path("triggerId").asText().equals(triggerId);
        if (!isOnRecord && leads) {
            wrong = Optional.of("asked for what is not on record: " + field + " " + triggerId);
            return;
        }
        String cause = isOnRecord ? cause(field, record) : "what was asked for, late: " + triggerId;
        String name =
                flaws.contains(Flaws.RANDOM_SAVING)
                        ? triggerId + environment.dice().below(1000)
                        : triggerId;
        environment
                .faults()
                .effect(
                        "ask for " + cause,
                        () ->
                                processes
                                        .apply(jobId)
                                        .ifPresent(
                                                process ->
                                                        process.askToSave(
                                                                jobId,
                                                                name,
                                                                cause,
                                                                field.equals("savepointInfo"))));
    }

    private static String cause(String field, JsonNode record) {
        return field
                + " "
                + record.path("triggerType").asText()
                + " "
                + (record.has("triggerNonce")
                        ? record.path("triggerNonce")
                        : record.path("triggerSince"));
    }

    void dispose(String uid, String location, ObservationMemory memory) {
        Optional<FlinkProcess> process = processes.apply(status().at("/jobStatus/jobId").asText());
        String path =
                flaws.contains(Flaws.DISPOSED_TOO_EARLY)
                        ? process.flatMap(FlinkProcess::startedFrom).orElse(location)
                        : location;
        String request =
                environment
                        .faults()
                        .effect(
                                "dispose of " + path,
                                () -> process.map(it -> it.dispose(path, needed())).orElse(""));
        if (!request.isEmpty()) {
            memory.asked(uid, location, request);
        }
    }

    /** Of the newest status and spec, whatever the operator has read. */
    private Set<String> needed() {
        Set<String> needed = new HashSet<>();
        needed.add(status().at("/jobStatus/upgradeSavepointPath").asText());
        needed.add(status().at("/jobStatus/savepointInfo/lastSavepoint/location").asText());
        world.resource()
                .latest()
                .map(resource -> resource.spec().at("/job/initialSavepointPath").asText())
                .ifPresent(needed::add);
        return needed;
    }

    /** A reconciliation begins. */
    void begin(Resource read) {
        deletingSince =
                read.deleting()
                        ? Stream.of(deletingSince, environment.clock().instant())
                                .min(Instant::compareTo)
                                .orElseThrow()
                        : Instant.MAX;
        JsonNode stop = status().at("/attempt/stop");
        if (stop.has("at")) {
            stopAt = Instant.ofEpochMilli(stop.path("at").asLong());
        }
        rememberFailedStops();
    }

    private void rememberFailedStops() {
        String now = status().at("/attempt/id").asText();
        if (!now.equals(attempt)) {
            failedStops.clear();
            attempt = now;
        }
        world.cluster()
                .answering()
                .filter(process -> process.attempt().equals(attempt))
                .ifPresent(process -> failedStops.addAll(process.failedStops()));
    }

    /**
     * A cluster is about to be removed. If a suspension is on record, the job's state is too: what
     * remains is the removal, whether the resource is deleted meanwhile or not.
     */
    void beforeRemoval() {
        rememberFailedStops();
        Optional<FlinkProcess> process = world.cluster().answering();
        boolean isOwn = process.filter(it -> it.attempt().equals(attempt)).isPresent();
        boolean mustStopFirst =
                wants(ON_DELETION)
                        && world.resource()
                                .latest()
                                .filter(Resource::deleting)
                                .filter(resource -> !Specs.isSuspendedBefore(resource))
                                .isPresent()
                        && isOwn
                        && process.filter(FlinkProcess::isUntouched).isPresent()
                        && failedStops.size() < StopRequests.MOST_TRIES;
        Instant now = environment.clock().instant();
        boolean isPatient = now.isBefore(after(deletingSince)) && now.isBefore(after(stopAt));
        if (mustStopFirst && isPatient) {
            wrong = Optional.of("a job was deleted without the savepoint that was to be made");
        }
    }

    private static Instant after(Instant begun) {
        return begun.equals(Instant.MAX) ? begun : begun.plus(PATIENCE);
    }

    /**
     * A status is stored: no upgrade of a job that runs may go on from a checkpoint that is too
     * old. While a savepoint is awaited, the path on record is still what the job was started from;
     * and a job that is ill is restarted without an upgrade, from what there is.
     */
    void stored(JsonNode before, ObjectNode status, boolean sawJobUp) {
        boolean begins =
                before.at("/reconciliationStatus/state").asText().equals("DEPLOYED")
                        && status.at("/reconciliationStatus/state").asText().equals("UPGRADING")
                        && status.at("/jobStatus/upgradeSavepointPath")
                                .asText()
                                .equals(StateOptions.LAST_STATE)
                        && !status.at("/attempt/stop/how")
                                .asText()
                                .equals(StopStatus.How.SAVEPOINT.wire())
                        && !status.at(TAKEN_UP).equals(before.at(TAKEN_UP));
        Instant oldest = environment.clock().instant().minus(LIMIT);
        boolean isOld =
                world.cluster()
                        .answering()
                        .filter(process -> process.lastKept().isBefore(oldest))
                        .isPresent();
        if (begins && sawJobUp && isOld && wants(MAX_AGE)) {
            wrong = Optional.of("a job goes on from a checkpoint that is too old");
        }
    }

    private boolean wants(String option) {
        return world.resource()
                .latest()
                .filter(resource -> resource.spec().path("flinkConfiguration").has(option))
                .isPresent();
    }

    private JsonNode status() {
        return world.resource()
                .latest()
                .<JsonNode>map(Resource::status)
                .orElseGet(MissingNode::getInstance);
    }

    private Stream<JsonNode> history() {
        return status().at("/jobStatus/savepointInfo/savepointHistory").valueStream();
    }
}
