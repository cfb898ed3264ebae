// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.operator.deployment.simulation.StateOracle;
import java.util.Optional;

/**
 * What one reconciliation was told of the end of a job, by the line of its state: it is known once
 * the job was looked at again, and a status is stored after that.
 */
public final class ToldEnd {
    private Optional<Integer> line = Optional.empty();
    private boolean isSure;
    private boolean isUntold;

    /** A reconciliation begins. */
    public void forget() {
        line = Optional.empty();
        isSure = false;
        isUntold = false;
    }

    /** It is told what a job has left that has ended. */
    public void of(int line) {
        this.line = Optional.of(line);
    }

    /** It has asked what came of a savepoint, which may be later than all else, in vain. */
    public void untold() {
        isUntold = true;
    }

    /** It has looked at the job once more, and it was the same. */
    public void lookedAgain() {
        isSure = line.isPresent();
    }

    /** A status is stored. */
    public void stored(StateOracle oracle) {
        line.filter(_ -> isSure && !isUntold).ifPresent(oracle::tellsEndOf);
    }
}
