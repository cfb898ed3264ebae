// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import io.sluice.testkit.sim.Dice;
import java.util.EnumSet;
import java.util.Set;

/** What users, tools and a cluster do in a share of the runs. */
public enum Habit {
    /** Has savepoints or checkpoints made by an interval or a cron expression. */
    SAVES_BY_SCHEDULE,
    /** Keeps few savepoints, or none that is older than ten minutes. */
    KEEPS_FEW_SAVEPOINTS,
    /** Wants no upgrade to go on from a checkpoint that is older than a minute. */
    LIMITS_CHECKPOINT_AGE,
    /** Checkpoints do not complete for a while. */
    STALLS_CHECKPOINTS,
    /** Goes back to any earlier spec, but keeps the nonces and the path of the present one. */
    REVERTS,
    /** Goes back to any earlier spec with the nonces and the path that were in it. */
    REVERTS_NONCES,
    /** Switches high availability on and off in the spec. */
    CHANGES_AVAILABILITY,
    /** Another Flink version while the upgrade mode changes too. */
    CHANGES_VERSION_WITH_MODE,
    /** Makes a job stateless, and stateful again. */
    CHANGES_TO_STATELESS,
    /** Runs jobs that make no checkpoints, whatever their upgrade mode. */
    MAKES_NO_CHECKPOINTS,
    /** Writes a spec that is refused, and mends it. */
    BREAKS_SPEC,
    /** Runs jobs that come to their end by themselves. */
    FINISHES_JOBS,
    /** Has failed jobs started again. */
    RESTARTS_FAILED_JOBS,
    /** Removes a single field of the status. */
    CUTS_STATUS,
    /** Nodes have no room for some pods for a while. */
    LACKS_ROOM,
    /** The image of a cluster's own pods can't be pulled for a while. */
    LACKS_IMAGES,
    /** A JobManager is killed for its memory, and waits to be started again. */
    IS_KILLED,
    /** A JobManager answers nobody for a while. */
    HANGS,
    /** Writes specs that the platform's validators refuse, and validators fail for a while. */
    HAS_VALIDATORS,
    /** Somebody has made an object by hand under a name of the resource's own. */
    MEETS_OBJECTS,
    /** Changes the format of savepoints together with the job. */
    CHANGES_FORMAT,
    /** Labels a resource whose job has run as a canary. */
    LABELS_CANARY,
    /** The main() of a job takes minutes before it hands its job over. */
    HAS_SLOW_MAIN,
    /** Writes an image that no registry has, and has images pulled first. */
    HAS_TYPOS,
    /**
     * Has specs rolled back that do not become stable in a minute, and writes some that never do.
     */
    ROLLS_BACK;

    private static final int SHARE = 30;

    public static Set<Habit> none() {
        return EnumSet.noneOf(Habit.class);
    }

    /** Those of any user; one who rolls back does so all the time, which hides much else. */
    public static Set<Habit> all() {
        return EnumSet.complementOf(EnumSet.of(ROLLS_BACK));
    }

    /** Those of {@link Platform}, which throws dice of its own. */
    static Set<Habit> ofPlatform() {
        return EnumSet.range(HAS_VALIDATORS, HAS_TYPOS);
    }

    /**
     * Those of one run.
     *
     * @param allowed all of it, if it is one
     */
    static Set<Habit> some(Set<Habit> allowed, Dice dice) {
        Set<Habit> some = none();
        for (Habit each : allowed) {
            if (dice.chance(SHARE) || allowed.size() == 1) {
                some.add(each);
            }
        }
        return some;
    }
}
