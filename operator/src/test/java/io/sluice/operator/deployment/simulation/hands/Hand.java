// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import io.sluice.testkit.sim.Dice;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What somebody may do besides the operator and the user of a resource. */
public enum Hand {
    /** The Apache operator had the resource up to now. */
    TAKES_OVER(3),
    /** Another user cancels the job in Flink's page. */
    CANCELS_JOB(1),
    /** Another user stops the job with a savepoint. */
    STOPS_JOB(1),
    DELETES_DEPLOYMENT(2),
    DELETES_POD_BY_FORCE(2),
    /** Deletes the ConfigMaps of Flink's high availability. */
    DELETES_METADATA(1),
    /** Deletes the Services of the cluster. */
    DELETES_SERVICES(1),
    /** Deletes the ConfigMap that Flink's containers mount. */
    DELETES_CONFIGURATION(1),
    /** Removes the status, or a part of it. */
    ERASES_STATUS(1),
    /** Deletes the resource, and creates it from a copy that was made at some time before. */
    RESTORES_BACKUP(1),
    /** Deletes the namespace. */
    ENDS_NAMESPACE(1),
    /** A quota or a webhook refuses for a while what is to be created. */
    REFUSES(2),
    /** The clock of the operator's node is set. */
    SETS_CLOCK(2);

    private final int percent;

    Hand(int percent) {
        this.percent = percent;
    }

    /** Those that are busy in a run, with how likely each does something in a move. */
    public static Map<Hand, Integer> busy(Dice dice) {
        Map<Hand, Integer> busy = new EnumMap<>(Hand.class);
        for (int count = dice.below(4); count > 0; count--) {
            Hand hand = dice.chance(30) ? TAKES_OVER : dice.pick(List.of(values()));
            busy.put(hand, hand.percent);
        }
        return busy;
    }

    /** Who of them does something now. */
    public static Optional<Hand> next(Map<Hand, Integer> busy, Dice dice) {
        return busy.entrySet().stream()
                .filter(each -> dice.chance(each.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
