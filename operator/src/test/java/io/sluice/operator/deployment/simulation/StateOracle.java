// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.world.DurableStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.Settling;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says what must not have happened, by what Flink has written and run and what users have asked
 * for. It never reads what the operator stores.
 */
public final class StateOracle {
    private static final Pattern PATH =
            Pattern.compile("s3://[\\w./-]*(?:savepoint-\\w{6}-|chk-)\\w+");

    private static final Set<Reason> LOST =
            EnumSet.of(
                    Reason.JOB_NOT_FOUND,
                    Reason.STATE_LOST,
                    Reason.STATE_IN_DOUBT,
                    Reason.JOB_MANAGER_MISSING);

    /**
     * @param best what the resource's job would have been restored from at that time
     * @param specs what the job was started for, and the edits since
     */
    record Past(Optional<State> best, Optional<String> job, List<ObjectNode> specs) {
        Past {
            specs = List.copyOf(specs);
        }
    }

    private final DurableStates states;

    /** What users have asked for, by the generations of the resource that is there. */
    private final TreeMap<Long, ObjectNode> specs = new TreeMap<>();

    private Optional<State> best = Optional.empty();

    /** Of all states that were the best one. */
    private final Set<Integer> lines = new HashSet<>();

    private Optional<Integer> toldEndOf = Optional.empty();
    private boolean isDeleted;
    private boolean isLetGo;
    private boolean isAsNew;
    private boolean isRestored;
    private long started;
    private long startedBefore;

    /** The id of the job that was started last. */
    private Optional<String> job = Optional.empty();

    /** Under which ids Flink has failed to write something. */
    private final Set<String> failures = new HashSet<>();

    /** Which of the exceptions that jobs have thrown were told. */
    private final Set<String> exceptions = new HashSet<>();

    private Optional<String> violation = Optional.empty();

    public StateOracle(DurableStates states) {
        this.states = states;
    }

    public Optional<String> violation() {
        return violation;
    }

    public void violated(String what) {
        if (violation.isEmpty()) {
            violation = Optional.of(what);
        }
    }

    /** The best state that the resource's job ever had durably; empty before it has run. */
    public Optional<State> best() {
        return best;
    }

    /** A new resource: what was before is another's. */
    public void begins() {
        lines.clear();
        isRestored = false;
        specs.clear();
        best = Optional.empty();
        toldEndOf = Optional.empty();
        isDeleted = false;
        isLetGo = false;
        isAsNew = false;
        started = 0;
        startedBefore = 0;
        job = Optional.empty();
    }

    /** What is known of the resource at this time, if somebody keeps its status. */
    Past past() {
        return new Past(best, job, List.copyOf(specs.tailMap(started).values()));
    }

    /**
     * The resource was created anew with the record of that time: what users had agreed to by then,
     * and no job had been started for, counts.
     */
    void restored(Past past) {
        best = past.best();
        isRestored = true;
        job = past.job();
        long first = 1L - past.specs().size();
        started = job.isPresent() ? first : first - 1;
        for (int each = 0; each < past.specs().size(); each++) {
            specs.put(first + each, past.specs().get(each));
        }
    }

    /** Somebody lets the state go that the job has now, whether knowingly or not. */
    public void letsGo() {
        isLetGo = true;
    }

    /**
     * Somebody has removed the whole status, and no cluster stands. So the resource counts as a new
     * one, as docs/rescue.md has users make one of it.
     */
    public void countsAsNew() {
        isAsNew = true;
    }

    public void deleted() {
        isDeleted = true;
    }

    public void wrote(long generation, ObjectNode spec) {
        specs.put(generation, spec.deepCopy());
    }

    /**
     * A Deployment runs its job for the first time, which is the operator's doing.
     *
     * @param generation of the resource that it was made for
     * @param jobId of the job
     * @param from what the job begins with; at position 0 if that is nothing
     * @param isFresh whether it begins with nothing
     */
    public void starts(long generation, String jobId, State from, boolean isFresh) {
        best.filter(state -> !state.path().isEmpty())
                .filter(state -> !from.holds(state))
                .filter(_ -> !isAgreed(generation, from, isFresh))
                .ifPresent(
                        state ->
                                violated(
                                        isFresh
                                                ? "a job begins with nothing, and there was "
                                                        + state
                                                : "a job goes on from "
                                                        + from
                                                        + ", and there was "
                                                        + state));
        if (best.isEmpty() && isFresh) {
            path(specs.get(generation))
                    .filter(path -> path(specs.firstEntry().getValue()).equals(Optional.of(path)))
                    .filter(_ -> !isAgreed(generation, from, true))
                    .ifPresent(path -> violated("the first job does not begin with " + path));
        }
        best = Optional.of(from);
        lines.add(from.line());
        isLetGo = false;
        isAsNew = false;
        toldEndOf = Optional.empty();
        startedBefore = started;
        started = Math.max(started, generation);
        job = Optional.of(jobId);
    }

    /** What the resource asked for in that generation. */
    public ObjectNode spec(long generation) {
        return specs.get(generation);
    }

    /** What the job that was started last was to be; empty if none was for this resource. */
    public Optional<ObjectNode> started() {
        return Optional.ofNullable(specs.get(started));
    }

    /** Whether no job was started for an earlier generation. */
    public boolean isFirst(long generation) {
        return best.isEmpty() || started == generation;
    }

    /** The id of the job that was started last; empty before the first. */
    public Optional<String> job() {
        return job;
    }

    /** A Deployment's job can't begin, as nothing is where it is to begin from. */
    public void startsFromNowhere(long generation, String path) {
        if (specs.values().stream().noneMatch(spec -> path(spec).equals(Optional.of(path)))) {
            violated("a job of generation " + generation + " is to go on from nowhere: " + path);
        }
    }

    /** The counted job has ended, and Flink has kept what it keeps after that. */
    public void ended(String how) {
        best.filter(state -> !isThere(state))
                .filter(_ -> how.equals("CANCELED") && !isDeleted && !isLetGo)
                .filter(_ -> specs.tailMap(started).values().stream().noneMatch(this::isEnough))
                .ifPresent(state -> violated("with the job's end went its state " + state));
    }

    /** The operator ends the process of the job, which does not come back with the next one. */
    public void goesWithItsCluster() {
        best.filter(_ -> !isDeleted && !isLetGo)
                .filter(_ -> specs.tailMap(started).values().stream().noneMatch(this::isEnough))
                .ifPresent(state -> violated("a job goes with its cluster, which had " + state));
    }

    /** Whether the spec agrees to an end that takes the state along. */
    private boolean isEnough(ObjectNode spec) {
        return isStateless(spec) || spec.path("job").has("savepointRedeployNonce");
    }

    private boolean isThere(State state) {
        return state.path().isEmpty() || states.find(state.path()).isPresent();
    }

    /**
     * The operator asks to stop the job with a savepoint.
     *
     * @param generation that the job was started for
     * @param isAskedFor whether a spec asks for the format of it
     */
    void asksForStop(long generation, String jobId, Predicate<ObjectNode> isAskedFor) {
        NavigableMap<Long, ObjectNode> since = specs.tailMap(generation, false);
        NavigableMap<Long, ObjectNode> asking =
                since.isEmpty() ? specs.tailMap(generation, true) : since;
        if (job.equals(Optional.of(jobId))
                && started == generation
                && asking.values().stream().noneMatch(isAskedFor)) {
            violated("a savepoint is not in the format that an edit asks for");
        }
    }

    /**
     * Whether the job was started last, for an earlier generation than the present, which is that.
     */
    public boolean isNewerThan(long generation, String jobId, long present) {
        return job.equals(Optional.of(jobId))
                && started == generation
                && !isDeleted
                && present > generation
                && specs.lastKey() == present;
    }

    /**
     * The edits since the job was started for a generation; empty if another one was started last,
     * or the resource is being deleted.
     */
    public Collection<ObjectNode> editsSince(long generation, String jobId) {
        boolean isLast = job.equals(Optional.of(jobId)) && started == generation && !isDeleted;
        return isLast ? specs.tailMap(generation, false).values() : List.of();
    }

    /** What a status tells a human of the state of a job that is lost. */
    public void tells(JsonNode status) {
        boolean isLost = Settling.reason(status).filter(LOST::contains).isPresent();
        Matcher paths = PATH.matcher(status.path("conditions").toString());
        while (isLost && paths.find()) {
            states.find(paths.group())
                    .filter(state -> !isRestored && !lines.contains(state.line()))
                    .filter(state -> specs.values().stream().noneMatch(it -> isNamed(it, state)))
                    .ifPresent(
                            state ->
                                    violated("a human is told of what another run made: " + state));
        }
    }

    private static boolean isNamed(ObjectNode spec, State state) {
        return path(spec).equals(Optional.of(state.path()));
    }

    /** A savepoint is deleted, which the operator has asked for. */
    public void disposed(String path) {
        best.filter(state -> state.path().equals(path))
                .filter(_ -> !isDeleted)
                .ifPresent(state -> violated("the best state is deleted: " + state));
    }

    /** The operator has stored what it made of the end of a job, by the line of that. */
    public void tellsEndOf(int line) {
        toldEndOf = Optional.of(line);
    }

    /** Whether the operator has stored that. */
    boolean toldEndOf(int line) {
        return toldEndOf.equals(Optional.of(line));
    }

    /** What was stored of the end of a job is gone. */
    public void forgetsEnd() {
        toldEndOf = Optional.empty();
        exceptions.clear();
    }

    /**
     * Whether somebody could tell the operator what to go on from: Flink's metadata, the JobManager
     * that answers, or its own record of an end that it was told of.
     *
     * @param named what the metadata of that job names: another one's says nothing of how far it
     *     came
     * @param answered whether the JobManager that answers tells of a job that goes on from a state
     */
    public boolean isTold(List<State> named, Predicate<State> answered) {
        return best.filter(this::isThere)
                .filter(
                        state ->
                                named.stream().anyMatch(it -> it.holds(state))
                                        || answered.test(state)
                                        || toldEndOf.equals(Optional.of(state.line())))
                .isPresent();
    }

    /** Whether what metadata name is the best state, or a later one of its line. */
    boolean isNamed(List<State> named) {
        return best.filter(state -> named.stream().anyMatch(it -> it.holds(state))).isPresent();
    }

    /**
     * Whether one of the edits since the last start allows that, up to the generation unless that
     * is older. The path may be another one when the nonce is acted on than when it was written.
     */
    private boolean isAgreed(long generation, State from, boolean isFresh) {
        NavigableMap<Long, ObjectNode> since =
                generation < started
                        ? specs.tailMap(started, false)
                        : specs.subMap(started, false, generation, true);
        boolean isStateless =
                isStateless(specs.get(generation))
                        || since.values().stream().anyMatch(StateOracle::isStateless);
        boolean isRedeployed =
                !isFresh
                        && since.entrySet().stream()
                                .filter(each -> hasNewNonce(each.getKey(), each.getValue()))
                                .flatMap(each -> since.tailMap(each.getKey()).values().stream())
                                .anyMatch(spec -> path(spec).equals(Optional.of(from.path())));
        boolean isBegunAsNew =
                isAsNew && path(specs.get(generation)).orElse("").equals(from.path());
        return isStateless || isRedeployed || isBegunAsNew;
    }

    private static boolean isStateless(ObjectNode spec) {
        return spec.at("/job/upgradeMode").asText().equals("stateless");
    }

    private boolean hasNewNonce(long generation, ObjectNode spec) {
        var before = specs.lowerEntry(generation);
        return spec.path("job").has("savepointRedeployNonce")
                && (before == null || !nonce(before.getValue()).equals(nonce(spec)));
    }

    /**
     * Whether the nonce of redeployments is again what it was before one that no job was started
     * for, or for which one was started when the user had gone back already.
     */
    public boolean isRedeploymentReverted() {
        JsonNode now = nonce(specs.lastEntry().getValue());
        return specs.tailMap(startedBefore, false).entrySet().stream()
                .filter(each -> !nonce(each.getValue()).equals(now))
                .map(Map.Entry::getKey)
                .filter(other -> isAsked(now, specs.headMap(other)))
                .anyMatch(
                        other ->
                                other > started
                                        || isAsked(now, specs.subMap(other, false, started, true)));
    }

    private static boolean isAsked(JsonNode nonce, Map<Long, ObjectNode> specs) {
        return specs.values().stream().anyMatch(spec -> nonce(spec).equals(nonce));
    }

    private static JsonNode nonce(ObjectNode spec) {
        return spec.at("/job/savepointRedeployNonce");
    }

    private static Optional<String> path(ObjectNode spec) {
        return Optional.of(spec.at("/job/initialSavepointPath").asText()).filter(s -> !s.isEmpty());
    }

    /** Flink itself brings a job back that had not ended, from the last checkpoint it has. */
    public void recovers(State from) {
        best = Optional.of(from);
        lines.add(from.line());
        toldEndOf = Optional.empty();
    }

    /** Another operator leaves the job of that line, and does not know that it is another run. */
    void handsOver(int line) {
        exceptions.clear();
        if (best.filter(state -> state.line() != line).isPresent()) {
            recovers(new State("", line, 0));
        }
    }

    /** A job that counts has written what it would be restored from. */
    public void durable(State state) {
        if (best.filter(before -> state.line() == before.line()).isPresent()
                && best.filter(state::holds).isPresent()) {
            best = Optional.of(state);
        }
    }

    /** Flink has failed to write what was asked for under an id. */
    public void failed(String triggerId) {
        failures.add(triggerId);
    }

    /**
     * An event says what a job is to begin with, which may be edited before it does.
     *
     * @param before the best state when that was decided
     */
    public void toldOfStart(List<ResourceEvent> events, State before) {
        for (ResourceEvent event : events) {
            boolean isStart =
                    event.of() == OperatorEvent.SUBMIT
                            && !before.path().isEmpty()
                            && !isLetGo
                            && !specs.isEmpty();
            Matcher paths = PATH.matcher(event.message());
            boolean isFresh = event.message().endsWith(" without state");
            Optional<State> from =
                    isFresh
                            ? Optional.of(new State("", 0, 0))
                            : Optional.of(paths)
                                    .filter(Matcher::find)
                                    .filter(_ -> !event.message().contains("last seen"))
                                    .flatMap(it -> states.find(it.group()));
            from.filter(_ -> isStart)
                    .filter(state -> !state.holds(before))
                    .filter(state -> !isAgreed(specs.lastKey(), state, isFresh))
                    .ifPresent(
                            state ->
                                    violated(
                                            "a job is to begin with "
                                                    + state
                                                    + ", and there was "
                                                    + before));
        }
    }

    public void told(List<ResourceEvent> events) {
        Set<String> thrown =
                events.stream()
                        .filter(event -> event.of() == OperatorEvent.JOB_EXCEPTION)
                        .map(ResourceEvent::key)
                        .collect(Collectors.toSet());
        if (thrown.stream().anyMatch(key -> !exceptions.add(key))) {
            violated("an exception is told twice: " + thrown);
        }
        for (ResourceEvent event : events) {
            if (event.message().startsWith("Savepoint for the upgrade failed")
                    && !failures.contains(event.key())) {
                violated("an event says that the stop " + event.key() + " failed");
            }
            Matcher paths = PATH.matcher(event.message());
            while (paths.find()) {
                if (!states.wasWritten(paths.group())) {
                    violated("an event names " + paths.group() + ", which Flink never wrote");
                }
            }
        }
    }
}
