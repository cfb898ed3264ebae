// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import java.time.Duration;
import java.util.Optional;

/** Decides when a job may be asked to stop, and makes the request. */
public final class StopRequests {
    public static final int MOST_TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

    private StopRequests() {}

    /**
     * The next try; empty while the pause after a failed one lasts, or once a generation has tried
     * often enough.
     */
    public static Optional<StopStatus> nextRequest(StepContext context, StopStatus.How how) {
        long generation = context.observed().identity().generation();
        Optional<StopStatus> failed =
                context.draft().attempt().stop().filter(stop -> stop.generation() == generation);
        boolean tooSoon =
                failed.filter(
                                stop ->
                                        stop.tries() >= MOST_TRIES
                                                || context.observed()
                                                        .now()
                                                        .isBefore(
                                                                stop.at()
                                                                        .plus(pause(stop.tries()))))
                        .isPresent();
        if (tooSoon) {
            return Optional.empty();
        }
        int tries = failed.map(StopStatus::tries).orElse(0) + 1;
        String trigger =
                AttemptIds.trigger(
                        context.observed().identity().uid(),
                        generation,
                        context.attempt().orElse(""),
                        tries);
        return Optional.of(
                new StopStatus(
                        how,
                        trigger,
                        generation,
                        tries,
                        context.observed().now(),
                        Optional.empty()));
    }

    /**
     * Another way of ending the job than the one on record, which Flink has not heard of; empty
     * once the generation has tried often enough.
     */
    static Optional<StopStatus> requestInstead(StepContext context, StopStatus.How how) {
        return nextRequest(context.withDraft(draft -> draft.withStop(Optional.empty())), how);
    }

    /** How long after the given try the next one may come: 10 s, then twice as long each time. */
    static Duration pause(int tries) {
        return FIRST_PAUSE.multipliedBy(1L << Math.clamp(tries - 1L, 0, MOST_TRIES));
    }

    /** The effect of a recorded stop; the same again, as often as needed. */
    public static Action action(StepContext context, StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL -> new Action.CancelJob(context.jobId());
            case SAVEPOINT -> new Action.StopWithSavepoint(context.jobId(), request(context, stop));
        };
    }

    private static StopRequest request(StepContext context, StopStatus stop) {
        SavepointOptions options = SavepointOptions.of(context);
        return new StopRequest(
                stop.triggerId(), options.folder(stop.tries()), options.format(), options.drain());
    }

    /** What a failed stop's event says of the folder of the next try, if that is another one. */
    static String nextFolder(StepContext context, StopStatus failed) {
        SavepointOptions options = SavepointOptions.of(context);
        Optional<String> next = options.folder(failed.tries() + 1);
        return failed.tries() >= MOST_TRIES || next.equals(options.folder(failed.tries()))
                ? ""
                : next.map(folder -> " The next try writes to " + folder + ".").orElse("");
    }
}
