// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.util.Arrays;
import java.util.List;

/** The simulators that run production's code, in the order in which they look for a mutant. */
enum Simulator {
    FLINK_DEPLOYMENTS("DeploymentWorldSimTest", Folders.OF_DEPLOYMENTS),
    HABITS("HabitsSimTest", Folders.OF_DEPLOYMENTS),
    ROLLBACKS("HabitsSimTest#keepsItsPromisesWhileSpecsAreRolledBack", Folders.OF_DEPLOYMENTS),
    SCALED_DEPLOYMENTS("ScaledWorldSimTest", List.of("decide/", "observe/", "act/", "model/")),
    SESSION_JOBS("SessionWorldSimTest", Folders.OF_SESSION_JOBS),
    SAVED_SESSION_JOBS(
            "SessionWorldSimTest#keepsItsPromisesWhileStateIsSaved", Folders.OF_SESSION_JOBS),
    SNAPSHOTS("SnapshotSimTest", List.of("statesnapshot/", "decide/step/AttemptIds", "reconcile/")),
    PAIRS("PairSimTest", List.of("bluegreen/", "child/", "reconcile/"));

    private static final class Folders {
        private static final List<String> OF_DEPLOYMENTS =
                List.of(
                        "deployment/",
                        "decide/",
                        "observe/",
                        "act/",
                        "child/",
                        "reconcile/",
                        "model/");

        private static final List<String> OF_SESSION_JOBS =
                List.of("sessionjob/", "decide/", "observe/", "reconcile/", "model/");
    }

    private static final String OPERATOR = "operator/src/main/java/io/sluice/operator/";

    private final NamedTest test;
    private final List<String> folders;

    Simulator(String test, List<String> folders) {
        this.test = NamedTest.parse(test);
        this.folders = folders;
    }

    NamedTest test() {
        return test;
    }

    /**
     * Those that run the code that the mutant is in; all where that is not known. Of these only
     * those that {@code -Dmutants.simulators=<class>,<class>} names, if it names any.
     */
    static List<Simulator> of(Mutant mutant) {
        List<Simulator> theirs = Arrays.stream(values()).filter(it -> it.runs(mutant)).toList();
        return (theirs.isEmpty() ? List.of(values()) : theirs)
                .stream().filter(Simulator::isWanted).toList();
    }

    private boolean isWanted() {
        String wanted = System.getProperty("mutants.simulators", "");
        return wanted.isEmpty() || List.of(wanted.split(",")).contains(test.toString());
    }

    private boolean runs(Mutant mutant) {
        return folders.stream().anyMatch(it -> UnseenSources.holds(OPERATOR + it, mutant));
    }
}
