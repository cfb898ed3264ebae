// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.validation.Verdict;
import io.sluice.operator.world.JobUser;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What is around a resource beside Kubernetes and Flink: validators, objects that somebody makes by
 * hand, canaries, and a {@code main()} that takes its time. It throws dice of its own.
 */
public final class Platform {
    private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
    private static final String PULL_FIRST = "kubernetes.operator.deployment.pull-image-first";
    private static final String TYPO = "-typo";
    private static final int OFTEN = 3;
    private static final int LONGEST_SECONDS = 420;
    private static final Duration LONGEST_MAIN = Duration.ofMinutes(9);

    private final SimulatedNode.World world;
    private final Dice dice;
    private final Dice later;
    private final PlatformValidators validators;
    private final ObjectsMadeByHand objects;
    private Set<Habit> habits = Habit.none();
    private boolean isOver;

    /**
     * @param later says which habits there are that came later, so that a run without them is what
     *     it was before
     * @param cluster the name of the resource
     */
    public Platform(SimulatedNode.World world, Dice dice, Dice later, String cluster) {
        this.world = world;
        this.dice = dice;
        this.later = later;
        validators = new PlatformValidators(world::now);
        objects = new ObjectsMadeByHand(world, cluster);
    }

    /** Takes some of these habits. */
    public void allow(Set<Habit> allowed) {
        Set<Habit> own = EnumSet.copyOf(allowed);
        own.retainAll(Habit.ofPlatform());
        boolean hasTypos = own.remove(Habit.HAS_TYPOS) && later.chance(own.isEmpty() ? 100 : 20);
        habits = Habit.some(own, dice);
        if (hasTypos) {
            habits.add(Habit.HAS_TYPOS);
        }
    }

    public PlatformValidators validators() {
        return validators;
    }

    public ObjectsMadeByHand objects() {
        return objects;
    }

    /** Whether the resource is labelled as a canary once its job has run. */
    public boolean labelsCanaries() {
        return habits.contains(Habit.LABELS_CANARY);
    }

    /** A resource is about to be created with this spec. */
    public void create(ObjectNode spec) {
        if (habits.contains(Habit.CHANGES_FORMAT)) {
            changeFormat(spec);
        }
        if (habits.contains(Habit.HAS_TYPOS)) {
            spec.withObject("/flinkConfiguration").put(PULL_FIRST, "true");
        }
        if (habits.contains(Habit.MEETS_OBJECTS)
                && !isOver
                && !world.isNamespaceEnding()
                && dice.chance(70)) {
            objects.make(dice);
        }
    }

    private void changeFormat(ObjectNode spec) {
        spec.withObject("/flinkConfiguration")
                .put(FORMAT, dice.chance(50) ? "NATIVE" : "CANONICAL");
    }

    /** Whether the spec asks for savepoints in that format, or for none in particular. */
    public static boolean asksFor(String format, ObjectNode spec) {
        return spec.path("flinkConfiguration").path(FORMAT).asText(format).equals(format);
    }

    /**
     * What somebody does now, if anybody does.
     *
     * @param label gives the resource the label of a canary
     */
    public Optional<Runnable> move(JobUser user, Runnable label) {
        List<Runnable> moves = new ArrayList<>();
        if (habits.contains(Habit.HAS_VALIDATORS)) {
            moves.add(this::fail);
            moves.add(() -> user.edit(spec -> refuse(user, spec)));
            moves.add(() -> mend(user));
        }
        if (objects.isThere()) {
            moves.add(objects::remove);
        }
        if (habits.contains(Habit.CHANGES_FORMAT)) {
            moves.add(
                    () ->
                            user.edit(
                                    spec -> {
                                        changeFormat(spec);
                                        argument("v" + user.newVersion()).accept(spec);
                                    }));
        }
        if (habits.contains(Habit.HAS_TYPOS)) {
            moves.add(() -> user.edit(Platform::mistype));
            moves.add(() -> mend(user));
        }
        if (labelsCanaries()) {
            moves.add(label);
        }
        return !moves.isEmpty() && dice.chance(OFTEN)
                ? Optional.of(dice.pick(moves))
                : Optional.empty();
    }

    private static String image(ObjectNode spec) {
        return spec.path("image").asText();
    }

    private static void mistype(ObjectNode spec) {
        if (spec.path("image").isTextual() && !hasTypo(image(spec))) {
            spec.put("image", image(spec) + TYPO);
        }
    }

    /** Whether no registry has the image. */
    public static boolean hasTypo(String image) {
        return image.endsWith(TYPO);
    }

    private void fail() {
        Verdict verdict =
                dice.chance(60) ? new Verdict.Failed("platform: timed out") : new Verdict.Pending();
        Instant until = world.now().plusSeconds(10L + dice.below(LONGEST_SECONDS));
        world.trace("the platform's validators say " + verdict + " until " + until);
        validators.say(verdict, until);
    }

    private static void refuse(JobUser user, ObjectNode spec) {
        argument(PlatformValidators.refused(user.newVersion())).accept(spec);
    }

    private static Consumer<ObjectNode> argument(String text) {
        return spec -> spec.withObject("/job").putArray("args").add(text);
    }

    private static void mend(JobUser user) {
        if (PlatformValidators.isRefused(user.spec())) {
            user.changeArguments();
        }
        user.edit(
                spec -> {
                    if (hasTypo(image(spec))) {
                        spec.put("image", image(spec).replace(TYPO, ""));
                    }
                });
    }

    /** In the orderly rounds nothing keeps what the user wants from coming about. */
    public void round(JobUser user) {
        isOver = true;
        if (!habits.isEmpty()) {
            validators.recover();
            objects.remove();
            mend(user);
        }
    }

    /** How long the {@code main()} of a job takes that is begun now. */
    public Duration mainTakes() {
        return habits.contains(Habit.HAS_SLOW_MAIN) && !isOver && dice.chance(40)
                ? Duration.ofSeconds(dice.below((int) LONGEST_MAIN.toSeconds()))
                : Duration.ZERO;
    }
}
