// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/**
 * What a job has lost because Flink has begun it anew, and who agreed to that: its user, or whoever
 * has removed from the record what would tell of it.
 */
final class StateLoss {
    private final Environment environment;
    private final FlinkStorage storage;
    private final Launch launch;
    private final Optional<FlinkProcess> before;
    private boolean isUnaccepted;
    private boolean isStopForgotten;

    /**
     * @param before the process of the same Deployment that last ran the job
     */
    StateLoss(
            Environment environment,
            FlinkStorage storage,
            Launch launch,
            Optional<FlinkProcess> before) {
        this.environment = environment;
        this.storage = storage;
        this.launch = launch;
        this.before = before;
    }

    /** As {@link FlinkProcess#runsAgain}. */
    boolean runsAgain() {
        return !launch.keepsResults() && before.filter(FlinkProcess::isOver).isPresent();
    }

    /** Whether the job has begun anew although the one before it knew more. */
    boolean isUnaccepted() {
        return isUnaccepted;
    }

    /** Whether what the job writes from now on is the state of no job that anybody asked for. */
    boolean leavesNoState() {
        return runsAgain() || isUnaccepted;
    }

    /**
     * The user asked for the job to begin anew.
     *
     * @param count what the job has counted since
     */
    void accept(long count) {
        if (isUnaccepted) {
            storage.lost(count);
            isUnaccepted = false;
        }
    }

    /** Nobody can notice any more that the job has begun anew, or will. */
    void excuse(long count) {
        accept(count);
        storage.excuseLosses();
    }

    /**
     * A stop that this process alone tells of is off the record: its savepoint is lost once the job
     * has been run again.
     */
    void forgetStop(boolean hasSavepoint) {
        isStopForgotten = hasSavepoint;
    }

    void rememberStop() {
        isStopForgotten = false;
    }

    boolean isStopForgotten() {
        return isStopForgotten;
    }

    /**
     * A later process of the Deployment submits the job.
     *
     * @param count what the job begins with
     */
    void submitAgain(FlinkProcess former, long count) {
        if (!launch.keepsResults() && !runsAgain()) {
            beginAnew(former, count);
        } else if (runsAgain() && former.isStopForgotten()) {
            storage.lost(count);
        }
    }

    /**
     * Flink begins the job anew where nothing was kept. A highly available job whose result is
     * deleted as soon as it has ended can't be told from one that has yet to make its first
     * checkpoint.
     */
    private void beginAnew(FlinkProcess former, long count) {
        boolean isMore = count < storage.floor() && !storage.isRenounced(launch.attempt());
        boolean isUntold = launch.keepsMetadata() && former.hasEnded();
        if (storage.excusesLosses() || isUntold) {
            storage.lost(count);
        } else if (isMore) {
            isUnaccepted = true;
            environment.trace().add("      the job begins anew");
        }
    }
}
