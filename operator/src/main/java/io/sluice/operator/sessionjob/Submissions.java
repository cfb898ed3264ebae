// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import io.sluice.operator.deployment.Target.SubmissionView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What this process is handing to session clusters, by resource uid: uploads and runs take longer
 * than a pass may. Kept in memory only; a new process begins where the status says.
 */
public final class Submissions {
    private static final int MOST_AT_ONCE = 8;

    /** No namespace takes all places. */
    private static final int MOST_OF_A_NAMESPACE = 3;

    /** A job that its JobManager has accepted is listed long before. */
    private static final Duration LISTED = Duration.ofSeconds(10);

    private record Entry(long ticket, String attempt, Optional<SubmissionView> view, Instant at) {}

    private final Map<String, Entry> byUid = new ConcurrentHashMap<>();
    private final AtomicLong tickets = new AtomicLong();
    private final Semaphore places = new Semaphore(MOST_AT_ONCE, true);
    private final Map<String, Semaphore> byNamespace = new ConcurrentHashMap<>();
    private final Executor threads;
    private final InstantSource uptime;

    /**
     * @param uptime a clock that only goes forward
     */
    public Submissions(Executor threads, InstantSource uptime) {
        this.threads = threads;
        this.uptime = uptime;
    }

    SubmissionView of(String uid, Optional<String> attempt) {
        Optional<Entry> entry =
                Optional.ofNullable(byUid.get(uid))
                        .filter(found -> attempt.equals(Optional.of(found.attempt())));
        return entry.map(this::view).orElseGet(SubmissionView.None::new);
    }

    /** One that was accepted counts as under way until it should be listed. */
    private SubmissionView view(Entry entry) {
        return entry.view()
                .orElseGet(
                        () ->
                                uptime.instant().isBefore(entry.at().plus(LISTED))
                                        ? new SubmissionView.UnderWay()
                                        : new SubmissionView.None());
    }

    /**
     * Begins {@code step} unless one is under way for the attempt; its result is seen by a later
     * pass. Many of one namespace wait for one another, and hold up no other's for long. An empty
     * result stands for a job that is about to be listed.
     */
    void begin(
            String namespace, String uid, String attempt, Supplier<Optional<SubmissionView>> step) {
        Entry mine =
                new Entry(
                        tickets.incrementAndGet(),
                        attempt,
                        Optional.of(new SubmissionView.UnderWay()),
                        uptime.instant());
        Entry now =
                byUid.compute(
                        uid,
                        (_, before) ->
                                before != null && isUnderWay(before, attempt) ? before : mine);
        if (now.ticket() == mine.ticket()) {
            threads.execute(() -> run(namespace, uid, mine, step));
        }
    }

    private static boolean isUnderWay(Entry entry, String attempt) {
        return entry.attempt().equals(attempt)
                && entry.view().filter(SubmissionView.UnderWay.class::isInstance).isPresent();
    }

    private void run(
            String namespace, String uid, Entry mine, Supplier<Optional<SubmissionView>> step) {
        Optional<SubmissionView> result = Optional.of(new SubmissionView.None());
        Semaphore own =
                byNamespace.computeIfAbsent(
                        namespace, _ -> new Semaphore(MOST_OF_A_NAMESPACE, true));
        own.acquireUninterruptibly();
        places.acquireUninterruptibly();
        try {
            result = step.get();
        } finally {
            places.release();
            own.release();
            byUid.replace(
                    uid, mine, new Entry(mine.ticket(), mine.attempt(), result, uptime.instant()));
        }
    }

    void forget(String uid) {
        byUid.remove(uid);
    }
}
