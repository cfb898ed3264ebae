// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.ReconciliationStatus;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** What a status says of the attempts at running the resource that were made so far. */
public final class AttemptHistory {
    private static final int BEGINNING = 16;

    private AttemptHistory() {}

    /**
     * Returns the 16 hexadecimal digits that the ids of all jobs of a FlinkSessionJob begin with,
     * and those of no other job.
     */
    public static String beginningOfIds(String uid) {
        return UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "")
                .substring(0, BEGINNING);
    }

    /** Whether no attempt on record was ever seen to stand. */
    public static boolean neverBegan(FlinkDeploymentStatus status) {
        ReconciliationStatus reconciliation = status.reconciliationStatus();
        if (reconciliation.lastReconciledSpec().isEmpty()) {
            return reconciliation.state() == ReconciliationState.UPGRADING
                    && status.attempt().id().isEmpty();
        }
        return LastReconciledSpec.from(reconciliation)
                .filter(LastReconciledSpec::firstDeployment)
                .filter(_ -> !hasRun(status))
                .filter(
                        first ->
                                reconciliation.state() == ReconciliationState.UPGRADING
                                        || isOursAtRest(status, first))
                .isPresent();
    }

    /**
     * A job that is to be stopped is upgraded too, by the word of its state. Another operator keeps
     * a start without an attempt.
     */
    private static boolean hasRun(FlinkDeploymentStatus status) {
        boolean started =
                status.attempt().id().isPresent() && status.jobStatus().startTime().isPresent();
        return started || status.attempt().stop().isPresent();
    }

    /** Once an attempt has come about, Sluice records no spec at rest as the first one. */
    private static boolean isOursAtRest(FlinkDeploymentStatus status, LastReconciledSpec first) {
        return status.attempt().id().isPresent()
                && first.spec()
                        .job()
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .isPresent();
    }

    /**
     * Whether only a session cluster can tell if the job on record was submitted: the status names
     * its id, and not what came of it.
     */
    public static boolean isUnrecorded(FlinkDeploymentStatus status) {
        return status.attempt().equals(AttemptStatus.NONE)
                && status.jobStatus().jobId().isPresent()
                && status.reconciliationStatus().state() == ReconciliationState.UPGRADING
                && LastReconciledSpec.from(status.reconciliationStatus())
                        .flatMap(last -> last.spec().job())
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .isPresent();
    }
}
