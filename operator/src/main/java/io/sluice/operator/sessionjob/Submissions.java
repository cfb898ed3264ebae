// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
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
 * than a reconciliation may. Kept in memory only; a new process begins where the status says.
 */
public final class Submissions {
    /** A job that its JobManager has accepted is listed long before. */
    private static final Duration LISTED = Duration.ofSeconds(10);

    /**
     * @param failures how often in a row the attempt's jar could not be had
     */
    private record Entry(
            long ticket, String attempt, Optional<SubmissionView> view, Instant at, int failures) {}

    private final Map<String, Entry> byUid = new ConcurrentHashMap<>();
    private final AtomicLong tickets = new AtomicLong();
    private final Places limits;
    private final Semaphore places;
    private final Map<String, Semaphore> byNamespace = new ConcurrentHashMap<>();
    private final Executor threads;
    private final InstantSource uptime;

    /**
     * How many jars may be on their way at once, so that no namespace takes all places.
     *
     * @param all of all namespaces
     * @param ofNamespace of each
     */
    public record Places(int all, int ofNamespace) {
        static final Places USUAL = of(new Options(FlinkConfiguration.EMPTY));

        /** The number of places that the operator's configuration sets. */
        public static Places of(Options options) {
            return new Places(
                    Math.max(1, options.get(ArtifactOptions.MAX_CONCURRENT)),
                    Math.max(1, options.get(ArtifactOptions.MAX_CONCURRENT_PER_NAMESPACE)));
        }
    }

    /**
     * @param uptime a clock that only goes forward
     */
    public Submissions(Executor threads, InstantSource uptime) {
        this(threads, uptime, Places.USUAL);
    }

    public Submissions(Executor threads, InstantSource uptime, Places limits) {
        this.threads = threads;
        this.uptime = uptime;
        this.limits = limits;
        places = new Semaphore(limits.all(), true);
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
        long ticket = tickets.incrementAndGet();
        Entry now =
                byUid.compute(
                        uid,
                        (_, before) ->
                                before != null && isUnderWay(before, attempt)
                                        ? before
                                        : new Entry(
                                                ticket,
                                                attempt,
                                                Optional.of(new SubmissionView.UnderWay()),
                                                uptime.instant(),
                                                failures(Optional.ofNullable(before), attempt)));
        if (now.ticket() == ticket) {
            threads.execute(() -> run(namespace, uid, now, step));
        }
    }

    private static int failures(Optional<Entry> before, String attempt) {
        return before.filter(entry -> entry.attempt().equals(attempt))
                .map(Entry::failures)
                .orElse(0);
    }

    private static boolean isUnderWay(Entry entry, String attempt) {
        return entry.attempt().equals(attempt)
                && entry.view().filter(SubmissionView::isUnderWay).isPresent();
    }

    private void run(
            String namespace, String uid, Entry mine, Supplier<Optional<SubmissionView>> step) {
        Optional<SubmissionView> result = Optional.of(new SubmissionView.None());
        Semaphore own =
                byNamespace.computeIfAbsent(
                        namespace, _ -> new Semaphore(limits.ofNamespace(), true));
        take(
                own,
                uid,
                mine,
                "the namespace",
                limits.ofNamespace(),
                ArtifactOptions.MAX_CONCURRENT_PER_NAMESPACE.key());
        take(
                places,
                uid,
                mine,
                "all namespaces",
                limits.all(),
                ArtifactOptions.MAX_CONCURRENT.key());
        see(uid, mine, Optional.of(new SubmissionView.UnderWay()));
        try {
            result = step.get();
        } finally {
            places.release();
            own.release();
            see(uid, mine, result);
        }
    }

    /** Waits for a place, and shows for what. */
    private void take(
            Semaphore semaphore, String uid, Entry mine, String whose, int most, String option) {
        if (!semaphore.tryAcquire()) {
            see(
                    uid,
                    mine,
                    Optional.of(
                            new SubmissionView.Queued(
                                    "All %d places of %s are taken; see %s."
                                            .formatted(most, whose, option))));
            semaphore.acquireUninterruptibly();
        }
    }

    /** Unless something else was begun since, or the resource is gone. */
    private void see(String uid, Entry mine, Optional<SubmissionView> view) {
        Optional<SubmissionView.NotUploaded> failed =
                view.filter(SubmissionView.NotUploaded.class::isInstance)
                        .map(SubmissionView.NotUploaded.class::cast)
                        .map(it -> it.failedAgain(mine.failures() + 1));
        boolean goesOn = view.filter(SubmissionView::isUnderWay).isPresent();
        int failures =
                failed.map(SubmissionView.NotUploaded::failures)
                        .orElse(goesOn ? mine.failures() : 0);
        Entry next =
                new Entry(
                        mine.ticket(),
                        mine.attempt(),
                        failed.<SubmissionView>map(it -> it).or(() -> view),
                        uptime.instant(),
                        failures);
        byUid.computeIfPresent(uid, (_, now) -> now.ticket() == mine.ticket() ? next : now);
    }

    void forget(String uid) {
        byUid.remove(uid);
    }
}
