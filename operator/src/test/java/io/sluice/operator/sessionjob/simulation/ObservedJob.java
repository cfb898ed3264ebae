// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.operator.deployment.simulation.savings.SavedStates;
import io.sluice.operator.world.DurableStates.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A FlinkSessionJob, its user's hands on it, and what the world has seen of its jobs; also of those
 * of former resources of the name.
 */
final class ObservedJob {
    /**
     * An attempt as it was first stored.
     *
     * @param owner the uid of the resource
     * @param generation the last one that the operator had seen
     */
    record Attempt(ObservedJob of, String owner, long generation) {}

    private final SessionWorld world;
    private final String name;
    private final StateOracle oracle;
    private final SavedStates saved;

    /** What users have asked for, by the generations of the resource that is there. */
    private final TreeMap<Long, ObjectNode> specs = new TreeMap<>();

    /** How jobs have ended that nobody has cancelled, by their ids. */
    private final Map<String, String> ends = new HashMap<>();

    /** The runs from nothing of its jobs. */
    private final Set<Integer> lines = new HashSet<>();

    /** By paths where another resource's job has written: the line of what goes on from there. */
    private final Map<String, Integer> borrowed = new HashMap<>();

    private String uid = "";

    /** The id of the job that the JobManager was asked for last, whether it could begin or not. */
    private String submitted = "";

    /** The attempt that was recorded last. */
    private String recorded = "";

    /** The attempts whose jars have gone with their JobManager. */
    private final Set<String> lostJars = new HashSet<>();

    ObservedJob(SessionWorld world, String name) {
        this.world = world;
        this.name = name;
        oracle = new StateOracle(world.states());
        saved = new SavedStates(world::now, oracle::violated);
    }

    /** What it has had saved beside upgrades. */
    SavedStates saved() {
        return saved;
    }

    String name() {
        return name;
    }

    StateOracle oracle() {
        return oracle;
    }

    int newLine() {
        int line = world.newLine();
        lines.add(line);
        return line;
    }

    /** From the state of another resource's job on it is on a line of its own. */
    int lineAfter(State from) {
        return lines.contains(from.line())
                ? from.line()
                : borrowed.computeIfAbsent(from.path(), _ -> newLine());
    }

    /** The operator has asked for that, as it looked at the resource. */
    void disposed(String path) {
        oracle.disposed(path);
        saved.disposed(path, lastRun().filter(SessionRun::tasksUp).map(it -> it.restored().path()));
        world.states()
                .find(path)
                .filter(state -> !lines.contains(state.line()))
                .ifPresent(state -> oracle.violated("another's savepoint is deleted: " + state));
    }

    private boolean isOfResource(SubmittedJob job) {
        return job.owner().equals(uid);
    }

    private Stream<SessionRun> live() {
        return world.cluster()
                .processes()
                .flatMap(SessionProcess::live)
                .filter(run -> run.job().resource().equals(name));
    }

    /** The job that was started last, if the JobManager lists it. */
    Optional<SessionRun> lastRun() {
        return oracle.job()
                .flatMap(id -> world.cluster().answering().flatMap(process -> process.run(id)));
    }

    /** Whether the job that was asked for last has ended like that, and by itself. */
    boolean hasEndedItself(String how) {
        return how.equals(ends.get(submitted));
    }

    /** Whether it is to be on the cluster, or one of its jobs was. */
    boolean isOnCluster() {
        return oracle.job().isPresent()
                || specs.lastEntry()
                        .getValue()
                        .path("deploymentName")
                        .asText()
                        .equals(SessionCluster.NAME);
    }

    /** Whether anybody could tell the operator what to go on from. */
    boolean tellsState() {
        return oracle.isTold(
                List.of(),
                state -> lastRun().filter(run -> run.line() == state.line()).isPresent());
    }

    /** Whether its jobs have had any state but that of their beginning from nothing. */
    boolean hasWritten() {
        return oracle.best().filter(state -> !state.path().isEmpty()).isPresent();
    }

    /** An attempt is on record. */
    void recorded(String attempt) {
        recorded = attempt;
    }

    /**
     * A JobManager whose metadata outlive it goes, and takes the jar of an attempt along. Nobody
     * can tell then whether it was asked to run it.
     */
    void lostJar(String attempt) {
        lostJars.add(attempt);
    }

    /** Whether nobody can tell if the last attempt has run: ADR 12 says what is asked then. */
    boolean isInDoubt() {
        return lostJars.contains(recorded);
    }

    /** Jobs of any resource of the name that run and should not, as no resource is there. */
    boolean hasLeftovers() {
        return live().anyMatch(run -> !world.isAbandoned(run.job().owner()));
    }

    /**
     * What the operator asks to be run; empty if no user has asked for that.
     *
     * @param asked what would be run
     */
    Optional<SubmittedJob> submitted(Attempt attempt, SubmittedJob asked) {
        return generation(attempt, asked.content()).map(asked::ofGeneration);
    }

    /** The last generation that it can have been made for; any of a resource that is gone. */
    private Optional<Long> generation(Attempt attempt, String content) {
        if (!attempt.owner().equals(uid)) {
            return Optional.of(attempt.generation());
        }
        return specs.headMap(attempt.generation(), true).descendingMap().entrySet().stream()
                .filter(each -> content(each.getValue()).equals(content))
                .filter(each -> each.getValue().at("/job/state").asText().equals("running"))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What tells one spec from another. */
    static String content(ObjectNode spec) {
        String jar = spec.at("/job/jarURI").asText();
        return spec.at("/job/args/0").asText() + "_" + jar.substring(jar.lastIndexOf('/') + 1);
    }

    void starts(SubmittedJob job, State from, boolean isFresh) {
        if (isOfResource(job)) {
            submitted = job.id();
            oracle.starts(job.generation(), job.id(), from, isFresh);
        } else if (!world.isAbandoned(job.owner())) {
            oracle.violated("a job begins whose resource is gone: " + job);
        }
    }

    void startsFromNowhere(SubmittedJob job) {
        if (isOfResource(job)) {
            submitted = job.id();
            oracle.startsFromNowhere(job.generation(), job.path().orElse(""));
        }
    }

    private boolean isCounted(SubmittedJob job) {
        return isOfResource(job) && oracle.job().filter(job.id()::equals).isPresent();
    }

    void recovers(SubmittedJob job, State from) {
        if (isCounted(job)) {
            oracle.recovers(from);
        }
    }

    /** Its job has written that, which may count only once the job has ended with it. */
    void wrote(SubmittedJob job, State state) {
        if (isOfResource(job)) {
            saved.wrote(state.path(), state.line());
        }
    }

    void durable(SubmittedJob job, State state) {
        if (isCounted(job)) {
            oracle.durable(state);
        }
    }

    /** The operator ends the process of the job, and no other one brings it back. */
    void goesWithItsCluster(String jobId) {
        if (oracle.job().filter(jobId::equals).isPresent()) {
            oracle.goesWithItsCluster();
        }
    }

    void ended(SubmittedJob job, String how, boolean byItself) {
        if (byItself) {
            ends.put(job.id(), how);
        }
        if (isCounted(job)) {
            oracle.ended(how);
        }
    }

    /** Nothing holds the resource any more, and nothing but its cluster's end its job. */
    void released(FlinkSessionJob resource) {
        String owner = resource.getMetadata().getUid();
        boolean goesAlong = world.deployed().filter(it -> it.user().takesJobsAlong()).isPresent();
        live().filter(run -> run.job().owner().equals(owner))
                .filter(_ -> !goesAlong && !world.isAbandoned(owner))
                .forEach(run -> oracle.violated("released while it runs: " + run));
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        List<SessionRun> live = live().filter(run -> isOfResource(run.job())).toList();
        if (live.size() > 1) {
            oracle.violated("two jobs run for one resource: " + live);
        }
    }

    Optional<FlinkSessionJob> resource() {
        return world.api().find(FlinkSessionJob.class, world.namespace(), name);
    }

    void create(ObjectNode spec) {
        var resource = new FlinkSessionJob();
        resource.getMetadata().setNamespace(world.namespace());
        resource.getMetadata().setName(name);
        resource.setSpec(spec.deepCopy());
        oracle.begins();
        saved.begins();
        specs.clear();
        var created = world.quietly(() -> world.client().resource(resource).create());
        uid = created.getMetadata().getUid();
        wrote(created, spec);
        world.trace("a user creates " + name + " " + spec);
    }

    private void wrote(FlinkSessionJob stored, ObjectNode spec) {
        long generation = stored.getMetadata().getGeneration();
        specs.put(generation, spec.deepCopy());
        oracle.wrote(generation, spec);
        saved.wrote(generation, spec);
    }

    void edit(ObjectNode spec) {
        resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .filter(it -> !it.getSpec().equals(spec))
                .ifPresent(
                        it -> {
                            var stored = world.api().edit(FlinkSessionJob.class, it, spec);
                            wrote(stored, spec);
                            world.trace(
                                    "a user writes generation "
                                            + stored.getMetadata().getGeneration()
                                            + " of "
                                            + name
                                            + " "
                                            + spec.path("job"));
                        });
    }

    void delete() {
        oracle.deleted();
        saved.deleted();
        world.quietly(
                () ->
                        world.client()
                                .resources(FlinkSessionJob.class)
                                .inNamespace(world.namespace())
                                .withName(name)
                                .delete());
        world.trace("a user deletes " + name);
    }
}
