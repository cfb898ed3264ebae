// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.habits.UserHabits;
import io.sluice.operator.deployment.simulation.scaling.Downtimes;
import io.sluice.operator.deployment.simulation.scaling.OptionDice;
import io.sluice.operator.deployment.simulation.scaling.SimulatedAutoscaler;
import io.sluice.operator.deployment.simulation.scaling.SimulatedDefaults;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.JobUser;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an autoscaler, an administrator and a user who changes options do to one FlinkDeployment,
 * and what must hold then: nobody stops a job that nobody has asked to be stopped, and saves no
 * state of it unasked.
 */
final class ScaledRun {
    /** How long a job that is up may yet be taken for one that is not. */
    private static final Duration SEEN = Duration.ofMinutes(12);

    /** After so long a savepoint was to be triggered again. */
    private static final Duration OVERDUE = Duration.ofMinutes(5);

    private static final int CHANGES = 1;
    private static final int FALLS_ILL = 3;
    private static final int ASKS_AGAIN = 20;
    private static final int MENDS = 70;
    private static final int ASKS_AT_LAST = 100;
    private static final int RESTARTS = 146;

    /** The options that have been in effect for the resource at some time. */
    private enum Ever {
        OTHERS_ACTED,
        NOT_SCALED_IN_PLACE,
        HEALTH,
        ROLLBACK,
        SAVEPOINTS,
        CHECKPOINTS
    }

    private final DeploymentWorld world;
    private final Dice dice;
    private final boolean isOn;
    private final OptionDice options;
    private final SimulatedDefaults defaults;
    private final SimulatedAutoscaler autoscaler;
    private final Downtimes downtimes = new Downtimes();

    /** When they were in effect last. */
    private final Map<Ever, Instant> last = new EnumMap<>(Ever.class);

    /** Since when there is a job of a Deployment. */
    private final Map<String, Instant> begun = new HashMap<>();

    private final Map<Kind, Instant> lastSaved = new EnumMap<>(Kind.class);

    /** When a job that ran was to be upgraded, and nothing failed any more. */
    private Optional<Instant> upgraded = Optional.empty();

    private String uid = "";
    private boolean touchesDeployments;
    private boolean haveOthersActed;
    private int rounds;

    ScaledRun(DeploymentWorld world, Dice dice, boolean isOn) {
        this.world = world;
        this.dice = dice;
        this.isOn = isOn;
        defaults = world.administration();
        options = new OptionDice(dice);
        autoscaler = new SimulatedAutoscaler(world.client(), dice);
    }

    boolean isOn() {
        return isOn;
    }

    /** Somebody else has had a hand in it: then not all that becomes of a job is the operator's. */
    void othersAct() {
        haveOthersActed = true;
        last.put(Ever.OTHERS_ACTED, world.now());
    }

    /** Whether a TaskManager that a job has no use for goes now. */
    boolean releases() {
        return isOn && dice.chance(10);
    }

    void choose(ObjectNode spec) {
        if (isOn) {
            options.choose(spec);
            fit(spec);
        }
    }

    /** Nobody holds a cluster smaller than the autoscaler may ask for. */
    void fit(ObjectNode spec) {
        boolean isReactive = spec.at("/flinkConfiguration/scheduler-mode").isTextual();
        if (isOn && spec.has("mode") && !isReactive) {
            spec.withObject("/taskManager").remove("replicas");
        }
    }

    /** How parallel vertices are to be now, by the autoscaler or else by the spec. */
    ParallelismOverrides overrides(JsonNode spec) {
        JsonNode own = spec.path("flinkConfiguration").path(ParallelismOverrides.KEY);
        return ParallelismOverrides.of(own.asText()).with(asked(spec));
    }

    private Map<String, Integer> asked(JsonNode spec) {
        return world.resource()
                .filter(_ -> isOn && defaults.isOn(spec, OptionDice.AUTOSCALER))
                .map(autoscaler::askedOfAny)
                .orElseGet(Map::of);
    }

    private boolean chance(int percent) {
        return isOn && dice.chance(percent);
    }

    /** Whether something is done before a move. */
    boolean acts() {
        return chance(14);
    }

    /** Between two calls of the operator. Returns whether something has happened. */
    boolean betweenCalls(JobUser user) {
        boolean acts = chance(25);
        if (acts) {
            act(user);
        }
        return acts;
    }

    void act(JobUser user) {
        switch (dice.below(14)) {
            case 0, 1, 2, 3 -> autoscale("asks for ", autoscaler::ask);
            case 4 -> autoscale("is overwritten by ", autoscaler::writeGarbage);
            case 5 -> autoscale("is gone", this::removed);
            case 6, 7 -> user.edit(options::change);
            case 8, 9, 10 -> changeDefaults();
            case 11, 12 -> user.changeArguments(UserHabits.isBad(user.spec()) ? "good" : "bad");
            default -> fallIll();
        }
        look(user.spec());
    }

    private void changeDefaults() {
        world.trace("an administrator changes " + options.change(defaults));
    }

    private String removed(FlinkDeployment resource) {
        autoscaler.remove(resource);
        return "";
    }

    private void autoscale(String what, Function<FlinkDeployment, String> change) {
        world.resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .ifPresent(
                        it ->
                                world.trace(
                                        "the autoscaler's map "
                                                + what
                                                + world.quietly(() -> change.apply(it))));
    }

    private void fallIll() {
        world.node()
                .answering(false)
                .filter(FlinkProcess::isLive)
                .ifPresent(
                        process -> {
                            world.trace("the job falls ill");
                            process.health().fallIll();
                        });
    }

    /** What is in effect now, for the spec that is wanted. */
    private void look(JsonNode spec) {
        if (defaults.option(spec, OptionDice.IN_PLACE).isPresent()) {
            last.put(Ever.NOT_SCALED_IN_PLACE, world.now());
        }
        if (defaults.isOn(spec, OptionDice.HEALTH)) {
            last.put(Ever.HEALTH, world.now());
        }
        if (defaults.isOn(spec, OptionDice.ROLLBACK)) {
            last.put(Ever.ROLLBACK, world.now());
        }
        if (spec.path("job").has("savepointTriggerNonce")
                || defaults.option(spec, OptionDice.PERIODIC_SAVEPOINT).isPresent()) {
            last.put(Ever.SAVEPOINTS, world.now());
        }
        if (defaults.option(spec, OptionDice.PERIODIC_CHECKPOINT).isPresent()) {
            last.put(Ever.CHECKPOINTS, world.now());
        }
    }

    /** Whether that was in effect while there was a job of the process, or shortly before. */
    private boolean wasSo(Ever what, FlinkProcess process) {
        Instant since = begun.getOrDefault(process.launch().deployment(), world.now()).minus(SEEN);
        return Optional.ofNullable(last.get(what)).filter(at -> at.isAfter(since)).isPresent();
    }

    /** Whether another parallelism takes a restart of that job. */
    private boolean isScaledByRestart(FlinkDeployment resource, FlinkProcess process) {
        return (resource.getSpec().has("mode") && !process.launch().isReactive())
                || !process.launch().isAdaptive()
                || wasSo(Ever.NOT_SCALED_IN_PLACE, process);
    }

    /** After each move. */
    Optional<String> violation(JsonNode spec) {
        if (!isOn) {
            return Optional.empty();
        }
        Optional<FlinkDeployment> resource = world.resource();
        String now = resource.map(it -> it.getMetadata().getUid()).orElse("");
        if (!now.equals(uid)) {
            uid = now;
            last.clear();
            downtimes.forget();
        }
        look(spec);
        return resource.filter(_ -> !haveOthersActed)
                .flatMap(it -> Optional.ofNullable(it.getStatus()))
                .flatMap(status -> downtimes.wrong(status, world.now()));
    }

    /** Jobs have gone on. */
    void looked() {
        if (isOn) {
            world.node()
                    .processes()
                    .filter(FlinkProcess::isLive)
                    .toList()
                    .forEach(it -> begun.putIfAbsent(it.launch().deployment(), world.now()));
            world.node()
                    .processes()
                    .filter(FlinkProcess::isLive)
                    .forEach(
                            it ->
                                    downtimes.stopsFailed(
                                            it.launch().deployment(),
                                            it.requests().failedStops(),
                                            world.now()));
            downtimes.look(
                    world.node()
                            .processes()
                            .filter(FlinkProcess::isLive)
                            .filter(FlinkProcess::tasksUp)
                            .map(it -> it.launch().deployment())
                            .collect(Collectors.toSet()),
                    world.now());
        }
    }

    /** The operator writes to a Deployment, or deletes one. */
    void touchesDeployments() {
        touchesDeployments = true;
    }

    /** A Deployment is to have no pods any more. */
    void removes(FlinkProcess process) {
        if (touchesDeployments) {
            asksForEnd(process);
        }
    }

    /** The operator has asked for the end of a job that is up. */
    void asksForEnd(FlinkProcess process) {
        Optional<FlinkDeployment> resource = world.resource();
        boolean isAsked =
                !isOn
                        || wasSo(Ever.OTHERS_ACTED, process)
                        || !process.tasksUp()
                        || process.hasBegunAgain()
                        || resource.filter(it -> isUnchangedSince(it, process))
                                .filter(it -> !isScaledByRestart(it, process))
                                .isEmpty()
                        || wasSo(Ever.HEALTH, process)
                        || (wasSo(Ever.ROLLBACK, process) && !isLongUp(process));
        if (!isAsked) {
            world.oracle().violated("nobody has asked for the end of " + process);
        }
    }

    private boolean isUnchangedSince(FlinkDeployment resource, FlinkProcess process) {
        return resource.getMetadata().getUid().equals(uid)
                && resource.getMetadata().getDeletionTimestamp() == null
                && resource.getMetadata().getGeneration() == process.launch().generation();
    }

    private boolean isLongUp(FlinkProcess process) {
        Instant soonest = world.now().minus(SEEN);
        return downtimes
                .since(process.launch().deployment())
                .filter(since -> since.isBefore(soonest))
                .isPresent();
    }

    /** The operator has asked for a savepoint or a checkpoint of a job that goes on. */
    void asksToSave(Kind kind) {
        lastSaved.put(kind, world.now());
        Ever asked = kind == Kind.SAVEPOINT ? Ever.SAVEPOINTS : Ever.CHECKPOINTS;
        if (isOn && !last.containsKey(asked)) {
            world.oracle().violated("nobody has asked for a " + kind);
        }
    }

    /** An orderly round begins. */
    void round(JobUser user) {
        if (!isOn) {
            return;
        }
        switch (rounds++) {
            case CHANGES -> {
                if (UserHabits.isBad(user.spec())) {
                    user.changeArguments("good");
                }
                if (dice.chance(50)) {
                    changeDefaults();
                }
                if (dice.chance(30)) {
                    world.trace("an administrator changes the schedule of savepoints");
                    defaults.toggle(OptionDice.PERIODIC_SAVEPOINT, "90 s");
                }
            }
            case FALLS_ILL -> {
                if (dice.chance(30)) {
                    fallIll();
                }
                if (dice.chance(80)) {
                    user.changeState("running");
                }
            }
            case ASKS_AGAIN, ASKS_AT_LAST -> autoscale("asks for ", autoscaler::ask);
            case MENDS -> mend(user);
            case RESTARTS -> world.operator().close();
            default -> {}
        }
    }

    private void mend(JobUser user) {
        world.node()
                .answering(false)
                .filter(it -> isTakenForScaled(it, user.spec()) && !it.health().isIll())
                .filter(_ -> isOverdue(user.spec()))
                .ifPresent(it -> world.oracle().violated("no savepoint is triggered: " + it));
        world.node()
                .answering(false)
                .filter(it -> isToBeRestarted(it, user.spec()))
                .ifPresent(it -> world.oracle().violated("an ill job is not restarted: " + it));
        world.node()
                .answering(false)
                .filter(it -> isTakenForScaled(it, user.spec()))
                .filter(it -> !isScaled(it, user.spec()))
                .ifPresent(
                        it ->
                                world.oracle()
                                        .violated(
                                                "a job runs as if it were scaled: "
                                                        + it.vertices()));
        world.node().answering(false).ifPresent(it -> it.health().heal());
        if (OptionDice.isRefused(user.spec(), defaults)) {
            user.edit(next -> OptionDice.mend(next, defaults));
        }
        boolean isUp = world.node().answering(false).filter(FlinkProcess::tasksUp).isPresent();
        boolean isRunning = user.spec().at("/job/state").asText().equals("running");
        upgraded =
                Optional.of(world.now())
                        .filter(_ -> isUp && isRunning && !UserHabits.isBad(user.spec()));
        user.changeArguments("good");
    }

    private boolean isToBeRestarted(FlinkProcess process, JsonNode spec) {
        boolean isRecoverable =
                spec.at("/job/upgradeMode").asText().equals("stateless")
                        || (process.launch().isHighlyAvailable() && world.keepsMetadata());
        return process.health().isIll()
                && process.isLive()
                && isRecoverable
                && process.content().contains(content(spec))
                && defaults.isOn(spec, OptionDice.HEALTH)
                && spec.at("/job/state").asText().equals("running")
                && !OptionDice.isRefused(spec, defaults);
    }

    /** Whether the status says that all is well with the job that runs. */
    private boolean isTakenForScaled(FlinkProcess process, JsonNode spec) {
        return process.tasksUp()
                && process.content().contains(content(spec))
                && world.resource()
                        .flatMap(it -> Settling.reason(it.getStatus()))
                        .filter(it -> it == Reason.JOB_RUNNING)
                        .isPresent();
    }

    /** What is missing of what happens without an edit. */
    Optional<String> unsettled(JsonNode status, JsonNode spec) {
        boolean isDue = isRunning(status) && isOverdue(spec) && !isOfLostState(status);
        boolean isUntold =
                isRunning(status)
                        && !haveOthersActed
                        && isCarriedOut(spec)
                        && upgraded.filter(
                                        at ->
                                                status.at("/lastUpgrade/stopRequestedTime")
                                                                .asText("1970-01-01T00:00:00Z")
                                                                .compareTo(
                                                                        at.toString()
                                                                                .substring(0, 19))
                                                        < 0)
                                .isPresent();
        if (isOn && isDue) {
            return Optional.of("no savepoint was triggered when it was due: " + status);
        }
        return isOn && isUntold
                ? Optional.of("the upgrade of " + upgraded + " is not told of: " + status)
                : Optional.empty();
    }

    /** A human is asked about the run, and told that no savepoint of it counts. */
    private static boolean isOfLostState(JsonNode status) {
        return Settling.reason(status).filter(it -> it == Reason.STATE_LOST).isPresent();
    }

    /** Whether the job that runs is that of the last edit; a human may be asked instead. */
    private boolean isCarriedOut(JsonNode spec) {
        return world.node()
                .answering(false)
                .filter(process -> process.content().contains(content(spec)))
                .isPresent();
    }

    private boolean isOverdue(JsonNode spec) {
        return defaults.option(spec, OptionDice.PERIODIC_SAVEPOINT).isPresent()
                && Optional.ofNullable(lastSaved.get(Kind.SAVEPOINT))
                        .filter(at -> at.isAfter(world.now().minus(OVERDUE)))
                        .isEmpty();
    }

    private static boolean isRunning(JsonNode status) {
        return status.at("/jobStatus/state").asText().equals("RUNNING");
    }

    /** Whether the job that runs is as parallel as the autoscaler asks for. */
    boolean isScaled(FlinkProcess process, JsonNode spec) {
        Map<String, Integer> running = process.vertices().running();
        return process.launch().isReactive()
                || asked(spec).entrySet().stream()
                        .filter(it -> running.containsKey(it.getKey()))
                        .allMatch(running.entrySet()::contains);
    }

    /** Whether a job that does as it should may be told of with that reason. */
    boolean isReady(Optional<Reason> reason, JsonNode spec) {
        return reason.equals(Optional.of(Reason.JOB_RUNNING))
                || (isRecurring(spec) && reason.equals(Optional.of(Reason.SAVING_STATE)));
    }

    /** Whether the status is written although nobody changes anything. */
    boolean isRecurring(JsonNode spec) {
        return isOn
                && (defaults.option(spec, OptionDice.PERIODIC_SAVEPOINT).isPresent()
                        || defaults.option(spec, OptionDice.PERIODIC_CHECKPOINT).isPresent());
    }

    /** Whether it is so that somebody has to act, or to wait, for the options in effect. */
    boolean mayStall(Reason reason) {
        return switch (reason) {
            case ROLLBACK_UNAVAILABLE -> isOn && !world.tellsState();
            case UPGRADE_FAILED -> isOn && isLeftUnseen();
            default -> false;
        };
    }

    /** Whether a job has failed that no operator has seen run, and another one has begun. */
    private boolean isLeftUnseen() {
        return haveOthersActed
                && world.lastTried().filter(it -> it.endedItself("FAILED")).isPresent();
    }

    private static String content(JsonNode spec) {
        return spec.at("/job/args/0").asText();
    }
}
