// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.PodTrouble;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * How long a stop waits for a JobManager that says nothing about the job, and what is done after.
 */
final class UnansweredStop {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private UnansweredStop() {}

    /**
     * A JobManager whose pod can't run will never tell how the stop ended. A suspension waits for a
     * shorter time, because it starts nothing.
     */
    static StepResult whenClusterIsDown(StepContext context, StopStatus stop) {
        boolean waited =
                context.cluster().problem().isPresent()
                        && context.observed().now().isAfter(stop.at().plus(PATIENCE));
        boolean isGivenUp =
                (waited && StateAfterStop.isRecoverable(context))
                        || (!context.isDesiredRunning() && Suspension.isBroken(context));
        if (isGivenUp) {
            return StateAfterStop.ofRemovedCluster(context);
        }
        StepContext unknown =
                context.withDraft(draft -> draft.withUnknownJobState(context.observed().now()));
        return context.cluster().problem().isEmpty() && isSilentForLong(unknown, stop)
                ? giveUpOnJobManager(unknown, stop, PodTrouble.delay(context))
                : PodTrouble.waitForJobManager(context);
    }

    /**
     * The JobManager does not answer, and nobody knows what it does meanwhile: it is given time. A
     * session cluster's JobManager is not removed for one of its jobs, and none is that answers
     * with too much.
     */
    static StepResult whenSilent(
            StepContext context, StopStatus stop, String message, NoAnswer noAnswer) {
        if (!context.target().hasOwnJobManager()) {
            return context.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
        }
        StepContext unknown =
                context.withDraft(draft -> draft.withUnknownJobState(context.observed().now()));
        return noAnswer == NoAnswer.NO_ANSWER && isSilentForLong(unknown, stop)
                ? giveUpOnJobManager(unknown, stop, message)
                : unknown.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
    }

    /** A JobManager that has just started lists nothing yet; one that stays so has lost the job. */
    static StepResult whenNotListed(StepContext context, StopStatus stop) {
        if (StateAfterStop.startsOverAtOnce(context)) {
            return Upgrade.startAttempt(context, new StartFrom.Nothing());
        }
        StepContext missed = JobFacts.withJobMissing(context);
        Instant since =
                context.target().hasOwnJobManager() ? lastUpdateSince(missed, stop) : stop.at();
        return context.observed().now().isBefore(since.plus(PATIENCE))
                ? missed.decide(Reason.WAITING_FOR_SUBMISSION, context.soon())
                : StateAfterStop.ofMissingJob(missed);
    }

    /**
     * The time counts from when the JobManager was first seen not to answer, by the record. A
     * savepoint may be under way since just before that: by then it is complete, and the job at its
     * end, or Flink has given it up.
     */
    private static boolean isSilentForLong(StepContext unknown, StopStatus stop) {
        Duration patience =
                switch (stop.how()) {
                    case CANCEL -> PATIENCE;
                    case SAVEPOINT -> longer(PATIENCE, SavepointOptions.of(unknown).limit());
                };
        return unknown.observed().now().isAfter(lastUpdateSince(unknown, stop).plus(patience));
    }

    /** When the job's state on record last changed, or the stop was recorded if that is later. */
    private static Instant lastUpdateSince(StepContext context, StopStatus stop) {
        return context.draft()
                .job()
                .updateTime()
                .filter(at -> at.isAfter(stop.at()))
                .orElse(stop.at());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * Metadata that names a checkpoint says that the job has not come to its end: Flink deletes it
     * with that. It is read again once the cluster is gone, so that a savepoint that is completed
     * until then is not passed over for an older checkpoint.
     */
    private static StepResult giveUpOnJobManager(
            StepContext context, StopStatus stop, String message) {
        if (!StateAfterStop.goesOnFromMetadata(context)) {
            return HeldChange.askHuman(
                    context,
                    Reason.JOB_MANAGER_SILENT,
                    (message
                                    + " "
                                    + StateAfterStop.savepointHint(context)
                                    + " "
                                    + RestorableState.whereStateMayBe(context))
                            .strip());
        }
        return Upgrade.startAttempt(
                context.withEvent(
                        ResourceEvent.warning(
                                "JobManagerDeployment",
                                Reason.JOB_MANAGER_SILENT,
                                stop.triggerId(),
                                "The JobManager has not answered for a long time while the job was"
                                        + " being stopped. Its cluster is removed, and the job"
                                        + " is restored from the last checkpoint in its"
                                        + " high-availability metadata.")),
                new StartFrom.LastState());
    }
}
