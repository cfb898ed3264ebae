// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.savings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.habits.UserHabits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What one FlinkDeployment has had written by Flink beside upgrades, and what must hold of that: by
 * what Flink has written, and what the user has asked for. It never reads what the operator stores.
 */
public final class SavedStates {
    private static final String ON_DELETION = "kubernetes.operator.job.savepoint-on-deletion";
    private static final int USUAL_COUNT = 10;
    private static final int MOST_TRIES = 5;

    /** So long the deletion of a resource waits for a savepoint. */
    private static final Duration DELETION = Duration.ofMinutes(5);

    /** An edit may not have reached the operator yet. */
    private static final Duration UNREAD = Duration.ofMinutes(1);

    /** By so much clocks of Flink and the operator differ at most. */
    private static final Duration CLOCKS = Duration.ofMinutes(4);

    private static final Duration OLDEST_CHECKPOINT = Duration.ofSeconds(60);

    /** After so long what a schedule asks for has been made. */
    private static final Duration OVERDUE = Duration.ofMinutes(13);

    private record Edit(Instant at, ObjectNode spec) {}

    private record Written(Instant at, int line, boolean isSavepoint) {}

    /**
     * A job that is about to be ended by the operator.
     *
     * @param generation of the resource that it was started for
     * @param line of its states
     * @param savesSince when it began, or began anew; empty if it makes checkpoints, and what it
     *     was started from counts as its last one until then
     * @param upSince when all of its tasks came up; empty if they are not
     * @param isSeen whether an operator has stored that it has seen the job
     */
    public record Run(
            long generation,
            int line,
            Optional<Instant> savesSince,
            Optional<Instant> upSince,
            boolean isSeen,
            int failedStops) {}

    private final Supplier<Instant> now;
    private final Consumer<String> violated;
    private final Function<String, Set<String>> defaults;
    private final TreeMap<Long, Edit> edits = new TreeMap<>();
    private final Map<String, Written> written = new LinkedHashMap<>();
    private final Map<Kind, Instant> asked = new EnumMap<>(Kind.class);
    private Optional<Instant> deleted = Optional.empty();
    private Instant unanswered = Instant.EPOCH;
    private boolean isExcused;

    /** Of an administrator who sets no option of these. */
    public SavedStates(Supplier<Instant> now, Consumer<String> violated) {
        this(now, violated, _ -> Set.of());
    }

    /**
     * @param violated is told what must not have happened
     * @param defaults all values of an option that an administrator has ever set
     */
    public SavedStates(
            Supplier<Instant> now,
            Consumer<String> violated,
            Function<String, Set<String>> defaults) {
        this.now = now;
        this.violated = violated;
        this.defaults = defaults;
    }

    /** A new resource. */
    public void begins() {
        edits.clear();
        written.clear();
        asked.clear();
        deleted = Optional.empty();
        isExcused = false;
    }

    /** Others than the operator and the user have had a hand in it. */
    public void excuse() {
        isExcused = true;
    }

    public void wrote(long generation, ObjectNode spec) {
        edits.put(generation, new Edit(now.get(), spec.deepCopy()));
    }

    public void deleted() {
        deleted = deleted.or(() -> Optional.of(now.get()));
    }

    /** Flink has written a savepoint or a checkpoint. */
    public void wrote(String path, int line) {
        written.put(path, new Written(now.get(), line, path.contains("/savepoint-")));
    }

    /** The operator asks for one while the job runs on. */
    public void asked(Kind kind) {
        asked.put(kind, now.get());
    }

    /** A JobManager has not answered what jobs it has. */
    public void unanswered() {
        unanswered = now.get();
    }

    private Collection<Edit> all() {
        return edits.values();
    }

    /**
     * The operator has a savepoint deleted.
     *
     * @param startedFrom what the job was started from that runs in the JobManager that was asked
     */
    public void disposed(String path, Optional<String> startedFrom) {
        if (isExcused) {
            return;
        }
        boolean isNamed =
                edits.lastEntry().getValue().at().isBefore(now.get().minus(UNREAD))
                        && path(edits.lastEntry().getValue().spec()).equals(path);
        if (isNamed) {
            violated.accept("a savepoint is deleted that the spec names: " + path);
        }
        if (startedFrom.equals(Optional.of(path))) {
            violated.accept("a savepoint is deleted that the job was started from: " + path);
        }
        Optional.ofNullable(written.get(path)).ifPresent(saved -> checkOverdue(path, saved));
    }

    private void checkOverdue(String path, Written saved) {
        long newer =
                written.values().stream()
                        .filter(it -> it.isSavepoint() && it.at().isAfter(saved.at()))
                        .count();
        if (newer == 0) {
            violated.accept("the newest savepoint is deleted: " + path);
        }
        boolean isTooMany =
                all().stream().anyMatch(edit -> newer >= most(edit.spec()))
                        || defaults.apply(UserHabits.MOST_SAVEPOINTS).stream()
                                .anyMatch(most -> newer >= Integer.parseInt(most));
        boolean isTooOld =
                saved.at().isBefore(now.get().minus(Duration.ofMinutes(10)).plus(CLOCKS))
                        && all().stream().anyMatch(edit -> has(edit, UserHabits.OLDEST_SAVEPOINT));
        if (!isTooMany && !isTooOld) {
            violated.accept("a savepoint is deleted that was to be kept: " + path);
        }
    }

    private static int most(JsonNode spec) {
        return Integer.parseInt(
                spec.path("flinkConfiguration")
                        .path(UserHabits.MOST_SAVEPOINTS)
                        .asText(Integer.toString(USUAL_COUNT)));
    }

    private static String path(JsonNode spec) {
        return spec.at("/job/initialSavepointPath").asText();
    }

    private static boolean has(Edit edit, String option) {
        return edit.spec().path("flinkConfiguration").has(option);
    }

    /** The operator cancels the job, or deletes what runs it. */
    public void ends(Run run) {
        if (isExcused || !run.isSeen() || run.upSince().isEmpty()) {
            return;
        }
        NavigableMap<Long, Edit> since = edits.tailMap(run.generation(), true);
        if (deleted.isPresent()) {
            checkLastSavepoint(run, since, deleted.get());
        } else if (since.size() == 2) {
            checkAge(run, since.firstEntry().getValue(), since.lastEntry().getValue());
        }
    }

    /**
     * The operator has decided to cancel a job that is up, and was when it looked: what the job has
     * done in memory is lost, unless it has saved some of it.
     */
    public void isToBeCancelled(Run run) {
        NavigableMap<Long, Edit> edited = edits.tailMap(run.generation(), true);
        Predicate<Instant> hasSaved =
                begun ->
                        written.values().stream()
                                .filter(it -> it.line() == run.line())
                                .anyMatch(it -> it.at().isAfter(begun.minus(CLOCKS)));
        if (!isExcused
                && deleted.isEmpty()
                && run.isSeen()
                && run.failedStops() == 0
                && edited.size() > 1
                && run.savesSince().filter(hasSaved.negate()).isPresent()
                && edited.values().stream().noneMatch(SavedStates::isEnough)) {
            violated.accept("a job is to be cancelled that has saved nothing of what it has done");
        }
    }

    /** Whether an edit agrees to a job that goes on from something else. */
    private static boolean isEnough(Edit edit) {
        JsonNode job = edit.spec().path("job");
        return job.path("upgradeMode").asText().equals("stateless")
                || job.has("savepointRedeployNonce");
    }

    private void checkLastSavepoint(Run run, NavigableMap<Long, Edit> since, Instant begun) {
        boolean isWanted =
                since.size() == 1
                        && has(since.firstEntry().getValue(), ON_DELETION)
                        && isRunning(since.firstEntry().getValue());
        boolean isMade =
                written.values().stream()
                        .anyMatch(
                                it ->
                                        it.isSavepoint()
                                                && it.line() == run.line()
                                                && it.at().isAfter(begun.minus(DELETION)));
        if (isWanted
                && !isMade
                && run.failedStops() < MOST_TRIES
                && now.get().isBefore(begun.plus(DELETION).minus(CLOCKS))) {
            violated.accept("a job is deleted without its last savepoint");
        }
    }

    private static boolean isRunning(Edit edit) {
        return edit.spec().at("/job/state").asText().equals("running");
    }

    /** By one edit, which has been seen by an operator to which the JobManager has answered. */
    private void checkAge(Run run, Edit before, Edit edit) {
        Predicate<Edit> isLimited =
                it ->
                        has(it, UserHabits.MAX_AGE)
                                && it.spec().at("/job/upgradeMode").asText().equals("last-state");
        boolean isRedeployed =
                !before.spec()
                        .at("/job/savepointRedeployNonce")
                        .equals(edit.spec().at("/job/savepointRedeployNonce"));
        Instant oldest = edit.at().minus(OLDEST_CHECKPOINT).minus(UNREAD);
        boolean isOld =
                run.upSince().orElseThrow().isBefore(oldest)
                        && written.values().stream()
                                .filter(it -> it.line() == run.line() && !it.isSavepoint())
                                .noneMatch(it -> it.at().isAfter(oldest));
        if (isLimited.test(before)
                && isLimited.test(edit)
                && !isRedeployed
                && isOld
                && run.failedStops() == 0
                && unanswered.isBefore(edit.at())) {
            violated.accept("an upgrade goes on from a checkpoint that is too old");
        }
    }

    /**
     * What a resource whose job runs has not come to in the end.
     *
     * @param generation of the resource that the job was started for
     * @param upSince when the tasks of its job came up
     * @param isThere whether a savepoint has not been deleted
     */
    public Optional<String> unsettled(long generation, Instant upSince, Predicate<String> isThere) {
        if (isExcused) {
            return Optional.empty();
        }
        Edit last = edits.lastEntry().getValue();
        return overdue(last, UserHabits.PERIODIC_SAVEPOINT, Kind.SAVEPOINT, upSince)
                .or(() -> overdue(last, UserHabits.PERIODIC_CHECKPOINT, Kind.CHECKPOINT, upSince))
                .or(() -> undone(generation, "savepointTriggerNonce", Kind.SAVEPOINT))
                .or(() -> undone(generation, "checkpointTriggerNonce", Kind.CHECKPOINT))
                .or(() -> tooMany(last, upSince, isThere));
    }

    private Optional<String> overdue(Edit last, String option, Kind kind, Instant upSince) {
        Instant oldest = now.get().minus(OVERDUE);
        boolean isOverdue =
                has(last, option)
                        && upSince.isBefore(oldest)
                        && Optional.ofNullable(asked.get(kind)).filter(oldest::isBefore).isEmpty();
        return isOverdue
                ? Optional.of("by its schedule nobody has asked for a " + kind)
                : Optional.empty();
    }

    /** A number that no edit before had, which was written when the job had been started. */
    private Optional<String> undone(long generation, String field, Kind kind) {
        JsonNode nonce = edits.lastEntry().getValue().spec().path("job").path(field);
        Predicate<Edit> hasIt = it -> it.spec().path("job").path(field).equals(nonce);
        Optional<Long> first =
                edits.keySet().stream().filter(it -> hasIt.test(edits.get(it))).findFirst();
        boolean isNew =
                !nonce.isMissingNode()
                        && first.filter(it -> it > generation)
                                .map(it -> edits.tailMap(it, true).values())
                                .filter(since -> since.stream().allMatch(hasIt))
                                .isPresent();
        boolean isUndone =
                isNew
                        && Optional.ofNullable(asked.get(kind))
                                .filter(at -> !at.isBefore(edits.get(first.orElseThrow()).at()))
                                .isEmpty();
        return isUndone
                ? Optional.of("nobody has asked for the " + kind + " of " + field + " " + nonce)
                : Optional.empty();
    }

    private Optional<String> tooMany(Edit last, Instant upSince, Predicate<String> isThere) {
        long kept =
                written.entrySet().stream()
                        .filter(it -> it.getValue().isSavepoint())
                        .filter(it -> it.getValue().at().isAfter(upSince.plus(OVERDUE)))
                        .filter(it -> isThere.test(it.getKey()))
                        .count();
        return kept > most(last.spec()) + 3
                ? Optional.of(kept + " savepoints are kept")
                : Optional.empty();
    }
}
