// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.util.List;

/**
 * What a world of session jobs is made of.
 *
 * @param names of the FlinkSessionJobs
 * @param version of Flink
 * @param isDeployed whether the operator deploys the cluster, too; else it is simply there
 * @param goesBack whether the user of the cluster often changes its version of Flink, and back, and
 *     the cluster is highly available at first
 * @param savesState whether users ask for savepoints and checkpoints beside upgrades
 */
record SessionShape(
        List<String> names,
        String version,
        boolean isDeployed,
        boolean goesBack,
        boolean savesState) {
    static final String OLDER = "1.20.5";
    static final String NEWER = "2.3.0";

    /** One FlinkSessionJob, and the older Flink. */
    static final SessionShape PLAIN =
            new SessionShape(List.of("report"), OLDER, false, false, false);

    private static final List<String> NAMES = List.of("report", "bill", "alarm");

    SessionShape {
        names = List.copyOf(names);
    }

    static SessionShape thrown(Environment environment) {
        return thrown(environment.besides(), environment.diceOf("deployed cluster"));
    }

    /** A deployed cluster whose user goes from one version of Flink to the other, and back. */
    static SessionShape goingBack(Environment environment) {
        SessionShape thrown = thrown(environment);
        return new SessionShape(thrown.names(), thrown.version(), true, true, false);
    }

    /** Users who have the state of their jobs saved by themselves, or by a schedule. */
    static SessionShape savingState(Environment environment) {
        SessionShape thrown = thrown(environment);
        return new SessionShape(thrown.names(), thrown.version(), thrown.isDeployed(), false, true);
    }

    /**
     * @param dice beside those of all else, so that a plain world is what it is without them
     * @param ofCluster of the cluster alone, so that one that is simply there is what it was
     */
    private static SessionShape thrown(Dice dice, Dice ofCluster) {
        int jobs = dice.chance(30) ? 1 : dice.chance(60) ? 2 : NAMES.size();
        return new SessionShape(
                NAMES.subList(0, jobs),
                dice.chance(40) ? NEWER : OLDER,
                ofCluster.chance(50),
                false,
                false);
    }
}
