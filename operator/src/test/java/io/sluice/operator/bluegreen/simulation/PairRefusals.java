// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.operator.world.TriesInVain;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.ApiRefusal;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;

/** A policy that lets nobody create a FlinkDeployment for a while, in some of the runs. */
final class PairRefusals {
    private static final int SHARE = 20;
    private static final int LONGEST_SECONDS = 600;

    private final PairWorld world;
    private final Dice dice;
    private final TriesInVain tries;
    private final boolean isOn;
    private Instant until = Instant.EPOCH;

    PairRefusals(PairWorld world, Dice dice) {
        this.world = world;
        this.dice = dice;
        tries = new TriesInVain(world::now, world::violated);
        isOn = dice.chance(SHARE);
    }

    void step() {
        if (isOn && !world.now().isBefore(until) && dice.chance(3)) {
            until = world.now().plus(Duration.ofSeconds(10L + dice.below(LONGEST_SECONDS)));
            world.trace("a policy refuses FlinkDeployments until " + until);
        }
    }

    /** A half is about to be created. */
    void review(ApiCall call, String name) {
        if (!world.isCalm() && world.now().isBefore(until)) {
            tries.refused();
            throw ApiRefusal.forbidden(call, name, "policy: not now");
        }
    }
}
