// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The {@link Habit habits} of one run, and what comes of them; by dice of their own. */
final class SimulatedHabits {
    private static final int SHARE = 40;
    private static final int OFTEN = 7;
    private static final List<String> MODES = List.of("stateless", "savepoint", "last-state");
    private static final List<String> VERSIONS = List.of("v1_19", "v1_20", "v2_0", "v2_3");

    private record Extra(String name, Runnable happen) {}

    private final World world;
    private final Dice dice;
    private final SimulatedDefaults defaults;
    private final SimulatedOperator operator;
    private final Supplier<ObjectNode> good;
    private final Consumer<ObjectNode> edit;
    private final Set<Habit> habits = EnumSet.noneOf(Habit.class);
    private final List<Extra> extras = new ArrayList<>();
    private final List<ObjectNode> written = new ArrayList<>();
    private int images;

    /** Of the resource whose status was wiped last. */
    private Optional<String> wiped = Optional.empty();

    /**
     * @param allowed of which some are taken; none throws no dice
     * @param good what the user has written last
     */
    SimulatedHabits(
            World world,
            Set<Habit> allowed,
            SimulatedDefaults defaults,
            SimulatedOperator operator,
            Supplier<ObjectNode> good,
            Consumer<ObjectNode> edit) {
        this.world = world;
        this.dice = world.environment().besides();
        this.defaults = defaults;
        this.operator = operator;
        this.good = good;
        this.edit = edit;
        allowed.stream()
                .filter(_ -> allowed.size() == 1 || dice.chance(SHARE))
                .forEach(habits::add);
        if (habits.containsAll(Habit.exclusive())) {
            habits.remove(dice.pick(List.copyOf(Habit.exclusive())));
        }
        habits.forEach(this::add);
        if (has(Habit.NOTICES_LOSSES)) {
            world.cluster().storage().rememberLosses();
        }
    }

    boolean has(Habit habit) {
        return habits.contains(habit);
    }

    boolean isEmpty() {
        return habits.isEmpty();
    }

    /** Something of all this may happen now. */
    void besides() {
        if (!extras.isEmpty() && dice.chance(OFTEN)) {
            Extra next = dice.pick(extras);
            world.environment().trace().add("+ " + next.name());
            next.happen().run();
        }
    }

    /** The user writes {@code spec}. */
    void wrote(ObjectNode spec) {
        if (!habits.isEmpty()) {
            written.add(spec);
        }
    }

    /** Another resource begins with {@code spec}. */
    ObjectNode begun(ObjectNode spec) {
        written.clear();
        ObjectNode begun = spec;
        if (has(Habit.MAKES_NO_CHECKPOINTS) && dice.chance(60)) {
            begun = Specs.withoutCheckpoints(begun);
        }
        if (has(Habit.DELETES_CHECKPOINTS) && dice.chance(50)) {
            begun = Specs.configured(begun, Specs.RETENTION, Specs.DELETE);
        }
        if (has(Habit.CHANGES_DEFAULTS) && dice.chance(50)) {
            begun = Specs.unconfigured(begun, Specs.FOLDER);
        }
        return begun;
    }

    private void add(Habit habit) {
        switch (habit) {
            case CHANGES_MODE, CHANGES_TO_STATELESS -> {
                extras.add(new Extra("changes the mode", () -> changeMode(false)));
                extras.add(new Extra("changes the mode and more", () -> changeMode(true)));
            }
            case REVERTS -> extras.add(new Extra("reverts", this::revert));
            case REVERTS_NONCES -> {
                extras.add(new Extra("reverts", this::revert));
                extras.add(new Extra("redeploys what is bad", this::redeployBad));
            }
            case CHANGES_AVAILABILITY ->
                    extras.add(
                            new Extra(
                                    "changes availability",
                                    () -> edit.accept(Specs.otherAvailability(good.get()))));
            case CHANGES_DEFAULT_AVAILABILITY -> {
                extras.add(
                        new Extra(
                                "changes the default availability",
                                () -> configure(Specs.AVAILABILITY)));
                extras.add(
                        new Extra(
                                "changes whether results are kept",
                                () -> configure(Map.of(Specs.RESULTS, "true"))));
            }
            case CHANGES_DEFAULTS ->
                    extras.add(
                            new Extra(
                                    "changes the default folder",
                                    () -> configure(Map.of(Specs.FOLDER, "file:///other"))));
            case MAKES_NO_CHECKPOINTS -> {}
            case DELETES_CHECKPOINTS ->
                    extras.add(
                            new Extra(
                                    "changes what the defaults retain",
                                    () -> configure(Map.of(Specs.RETENTION, Specs.DELETE))));
            case CHANGES_VERSION_WITH_MODE ->
                    extras.add(new Extra("changes the version too", this::changeVersion));
            case NOTICES_LOSSES ->
                    extras.add(
                            new Extra("JobManager restarts", world.cluster()::restartJobManager));
            case REMOVES_PATH -> extras.add(new Extra("removes the path", this::removePath));
            case CUTS_STATUS -> extras.add(new Extra("cuts the status", this::cut));
            case WIPES_STATUS -> extras.add(new Extra("wipes the status", this::wipe));
        }
    }

    private void changeMode(boolean more) {
        ObjectNode now = good.get();
        String mode = Specs.mode(now);
        List<String> others =
                MODES.stream()
                        .filter(other -> !other.equals(mode))
                        .filter(other -> mayChange(mode, other))
                        .toList();
        if (!others.isEmpty()) {
            ObjectNode next = Specs.withMode(now, dice.pick(others));
            say("from " + mode + " to " + Specs.mode(next));
            edit.accept(more ? another(next) : next);
        }
    }

    private boolean mayChange(String mode, String other) {
        boolean isStateless = mode.equals("stateless") || other.equals("stateless");
        return isStateless ? has(Habit.CHANGES_TO_STATELESS) : has(Habit.CHANGES_MODE);
    }

    private ObjectNode another(ObjectNode spec) {
        return switch (dice.below(4)) {
            case 0 -> Specs.withState(spec, "suspended");
            case 1 -> Specs.withState(spec, "running");
            default -> Specs.withImage(spec, "other-image-" + ++images);
        };
    }

    private void say(String what) {
        world.environment().trace().add("  " + what);
    }

    private void changeVersion() {
        edit.accept(Specs.withVersion(good.get(), dice.pick(VERSIONS)));
    }

    private void revert() {
        if (written.isEmpty()) {
            return;
        }
        ObjectNode former = dice.pick(written);
        ObjectNode now = good.get();
        boolean sameMode = Specs.mode(former).equals(Specs.mode(now));
        boolean nonces = has(Habit.REVERTS_NONCES);
        boolean leadsNowhere = nonces && namesLostSavepoint(former);
        if (!leadsNowhere && (sameMode || mayChange(Specs.mode(former), Specs.mode(now)))) {
            say("to " + former.path("job") + former.path("image"));
            if (nonces) {
                world.cluster().answering().ifPresent(FlinkProcess::forgetWhoAsked);
            }
            edit.accept(nonces ? former : Specs.withNoncesOf(now, former));
        }
    }

    /** Such a redeployment fails until the user names another path. */
    private boolean namesLostSavepoint(ObjectNode spec) {
        String path = spec.at("/job/initialSavepointPath").asText();
        return !path.isEmpty() && !world.cluster().storage().holds(path);
    }

    /** Only where something undoes it. */
    private void redeployBad() {
        List<String> paths = world.cluster().storage().savepoints();
        if (Specs.asks(good.get(), Specs.ROLLBACK) && !paths.isEmpty()) {
            edit.accept(
                    Specs.redeployed(
                            Specs.withImage(good.get(), Cluster.BAD + "other-image-" + ++images),
                            dice.pick(paths),
                            1000 + images));
        }
    }

    private void configure(Map<String, String> entries) {
        defaults.toggle(entries);
        say("to " + defaults.changed());
        operator.restart();
    }

    private void removePath() {
        boolean atRest = world.cluster().objects().latest().isEmpty();
        if (atRest || dice.chance(20)) {
            tamper(status -> remove(status, "jobStatus", "upgradeSavepointPath"));
        }
    }

    private void cut() {
        tamper(
                status -> {
                    switch (dice.below(6)) {
                        case 0 -> {
                            status.remove("attempt");
                            world.cluster().storage().forgetVersions();
                            excuseLosses();
                        }
                        case 1 -> remove(status, "jobStatus", "state");
                        case 2 -> {
                            remove(status, "jobStatus", "startTime");
                            excuseLosses();
                        }
                        case 3 -> {
                            remove(status, "attempt", "stop");
                            world.cluster().process().ifPresent(FlinkProcess::forgetStop);
                            renounceUnlessTold();
                        }
                        case 4 -> remove(status, "reconciliationStatus", "lastStableSpec");
                        default -> status.remove("conditions");
                    }
                });
    }

    /**
     * A run is told from the one before it by its start time, and whether it needs metadata by what
     * its attempt was started with.
     */
    private void excuseLosses() {
        world.cluster().answering().ifPresent(FlinkProcess::excuseLoss);
    }

    /** A JobManager tells nothing of the savepoint of a job that makes no checkpoints. */
    private void renounceUnlessTold() {
        world.cluster()
                .answering()
                .filter(process -> !process.launch().saving().checkpoints())
                .ifPresent(_ -> world.cluster().storage().renounce());
    }

    private void wipe() {
        tamper(
                status -> {
                    wiped = world.resource().latest().map(Resource::uid);
                    switch (dice.below(4)) {
                        case 0 -> status.removeAll();
                        case 1 -> status.remove("reconciliationStatus");
                        case 2 -> remove(status, "reconciliationStatus", "lastReconciledSpec");
                        default ->
                                status.withObject("/reconciliationStatus")
                                        .put("lastReconciledSpec", "{\"spec\":");
                    }
                });
    }

    private static void remove(ObjectNode status, String object, String field) {
        if (status.get(object) instanceof ObjectNode found) {
            found.remove(field);
        }
    }

    /** Not before the operator has written any, and once for each that it writes. */
    private void tamper(Consumer<ObjectNode> how) {
        world.resource()
                .latest()
                .filter(now -> !now.status().isEmpty() && !operator.hasNotWrittenSince())
                .ifPresent(
                        now -> {
                            ObjectNode status = now.status().deepCopy();
                            how.accept(status);
                            say(now.status() + " becomes " + status);
                            world.tamper(status);
                            operator.tampered();
                            renounceUnlessTraced();
                        });
    }

    /** Whether the operator has had to begin the status of this resource anew. */
    boolean isWiped() {
        return wiped.isPresent() && wiped.equals(world.resource().latest().map(Resource::uid));
    }

    /** Where nothing tells of any state any more, nobody can be expected to know of one. */
    void renounceUnlessTraced() {
        world.resource()
                .latest()
                .filter(now -> !isTraced(now))
                .ifPresent(_ -> world.cluster().storage().renounce());
    }

    private boolean isTraced(Resource now) {
        String status = now.status().toString();
        Cluster.Objects objects = world.cluster().objects().latest();
        boolean stands = objects.deployment().filter(it -> !it.terminating()).isPresent();
        return stands
                || !world.cluster().storage().recoverable().isEmpty()
                || status.contains("\"upgradeSavepointPath\"")
                || status.contains("\"location\"")
                || status.contains("\"lastCheckpoint\"");
    }
}
