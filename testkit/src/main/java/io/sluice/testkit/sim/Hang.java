// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/** A process that answers nobody any more since it was asked to stop its job. */
final class Hang {
    private final Dice dice;
    private Optional<FlinkProcess> hanging = Optional.empty();
    private boolean isDue;
    private boolean isFrozen;

    Hang(Dice dice) {
        this.dice = dice;
    }

    /** The next process that is asked to stop its job hangs. */
    void await() {
        isDue = true;
    }

    void end() {
        isDue = false;
        hanging = Optional.empty();
    }

    /** Begins if it is due and {@code process} is stopping its job. */
    void look(Optional<FlinkProcess> process) {
        Optional<FlinkProcess> stopping =
                process.filter(_ -> isDue).filter(FlinkProcess::isStopping);
        if (stopping.isPresent()) {
            isDue = false;
            hanging = stopping;
            isFrozen = dice.chance(50);
        }
    }

    boolean isOf(FlinkProcess process) {
        return hanging.filter(hung -> hung == process).isPresent();
    }

    /** Whether the process also stands still instead of going on with its work. */
    boolean freezes(FlinkProcess process) {
        return isFrozen && isOf(process);
    }
}
