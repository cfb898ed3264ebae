// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.util.function.Consumer;

/**
 * Resources that come and go, a few hundred at a time. Each is edited once in its life; of some the
 * job fails, of some the edit is wrong, some JobManagers fall silent for a while and some for good.
 */
final class Churn {
    private static final int LIFE = 200;
    private static final int EDITED = 50;
    private static final int FAILED = 80;
    private static final int SILENT = 100;
    private static final int ANSWERING = 120;
    private static final int WRONG = 150;
    private static final int DYING = 190;

    private final Resources resources;
    private final JobManagers jobManagers;
    private int turn;

    Churn(Resources resources, JobManagers jobManagers) {
        this.resources = resources;
        this.jobManagers = jobManagers;
    }

    /** How many have come and gone. */
    int gone() {
        return Math.max(0, turn - LIFE);
    }

    /** One comes, one goes, and something happens to a few of the others. */
    void turn() {
        resources.create(Names.of(turn % Names.MOST));
        at(EDITED, 1, name -> resources.edit(name, "registry.example.org/streaming/orders:2"));
        at(FAILED, 7, jobManagers::fail);
        at(SILENT, 10, jobManagers::silence);
        at(ANSWERING, 10, jobManagers::answer);
        at(WRONG, 9, name -> resources.configure(name, "parallelism.default", "many"));
        at(DYING, 11, jobManagers::silence);
        at(LIFE, 1, resources::delete);
        at(LIFE + EDITED, 1, jobManagers::forget);
        turn++;
    }

    /** To every {@code nth} resource that is so many turns old. */
    private void at(int age, int nth, Consumer<String> what) {
        int index = turn - age;
        if (index >= 0 && index % nth == 0) {
            what.accept(Names.of(index % Names.MOST));
        }
    }
}
