// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Waits until something is so, and tells at least each ten seconds what is seen meanwhile. */
public final class Polling {
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** With the time that a look takes, a line comes before ten seconds are over. */
    private static final Duration SILENCE = Duration.ofSeconds(6);

    private final Tell tell;
    private final InstantSource clock;
    private final Consumer<Duration> sleep;

    /**
     * @param sleep pauses the thread
     */
    public Polling(Tell tell, InstantSource clock, Consumer<Duration> sleep) {
        this.tell = tell;
        this.clock = clock;
        this.sleep = sleep;
    }

    /**
     * Waits until {@code holds}, for {@code limit} at most.
     *
     * @param what is waited for, in words
     * @param progress what is seen now; blank if nothing is
     * @return whether it held in time
     */
    public boolean until(
            String what, Duration limit, Supplier<String> progress, BooleanSupplier holds) {
        Instant began = clock.instant();
        Instant told = began;
        String last = "";
        while (!holds.getAsBoolean()) {
            Instant now = clock.instant();
            if (Duration.between(began, now).compareTo(limit) >= 0) {
                return false;
            }
            String seen = progress.get().strip();
            if (!seen.isEmpty() && !seen.equals(last)) {
                tell.progress(seen);
                last = seen;
                told = now;
            } else if (Duration.between(told, now).compareTo(SILENCE) >= 0) {
                tell.progress(
                        "… "
                                + Duration.between(began, now).toSeconds()
                                + " s, waiting for "
                                + what);
                told = now;
            }
            sleep.accept(PAUSE);
        }
        return true;
    }

    /**
     * Does {@code work}, which is limited by itself, and tells meanwhile what is seen.
     *
     * @param limit beyond that of the work
     */
    public <T> T meanwhile(
            String what, Duration limit, Supplier<String> progress, Supplier<T> work) {
        var task = new FutureTask<>(work::get);
        Thread.ofVirtual().start(task);
        if (!until(what, limit, progress, task::isDone)) {
            throw new TrialFailure(what + " did not end within " + limit.toSeconds() + " s");
        }
        try {
            return task.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TrialFailure("interrupted");
        } catch (ExecutionException failed) {
            throw new TrialFailure(what + ": " + failed.getMessage());
        }
    }
}
