// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether work goes on: when something is under way or waits, and nothing was finished for long,
 * the process is stuck. The log and the health check then name what is under way the longest, as
 * that is most likely what did it.
 */
public final class Progress {
    private static final Logger LOG = LoggerFactory.getLogger(Progress.class);

    private final Duration longest;
    private final IntSupplier waiting;
    private final LongSupplier nanos;
    private final Set<Task> underWay = ConcurrentHashMap.newKeySet();

    /** When something was finished, or began with nothing else under way. */
    private volatile long moved;

    private volatile boolean told;

    /** Something under way; closing it again changes nothing. */
    public final class Task implements AutoCloseable {
        private final String what;
        private final long since = nanos.getAsLong();

        private Task(String what) {
            this.what = what;
        }

        @Override
        public void close() {
            if (underWay.remove(this)) {
                moved = nanos.getAsLong();
            }
        }

        private Duration age() {
            return Duration.ofNanos(nanos.getAsLong() - since);
        }
    }

    /**
     * @param longest without anything finished
     * @param waiting how much has not begun
     * @param nanos a clock that only goes forward
     */
    public Progress(Duration longest, IntSupplier waiting, LongSupplier nanos) {
        this.longest = longest;
        this.waiting = waiting;
        this.nanos = nanos;
        moved = nanos.getAsLong();
    }

    /**
     * @param what names the resource, for somebody who is to look at it
     */
    public Task begin(String what) {
        if (underWay.isEmpty() && waiting.getAsInt() == 0) {
            moved = nanos.getAsLong();
        }
        Task task = new Task(what);
        underWay.add(task);
        return task;
    }

    /** Of what is under way, how long the oldest has been; zero if nothing is. */
    public Duration oldest() {
        return oldestTask().map(Task::age).orElse(Duration.ZERO);
    }

    /** What is stuck; empty while work goes on or there is none. */
    public Optional<String> wrong() {
        int left = waiting.getAsInt();
        if (underWay.isEmpty() && left == 0) {
            moved = nanos.getAsLong();
        }
        Duration silent = Duration.ofNanos(nanos.getAsLong() - moved);
        if (silent.compareTo(longest) < 0) {
            told = false;
            return Optional.empty();
        }
        String text =
                "nothing was finished for %d s; %d under way, %d waiting%s"
                        .formatted(
                                silent.toSeconds(),
                                underWay.size(),
                                left,
                                oldestTask()
                                        .map(
                                                task ->
                                                        "; the longest is %s, since %d s"
                                                                .formatted(
                                                                        task.what,
                                                                        task.age().toSeconds()))
                                        .orElse(""));
        if (!told) {
            told = true;
            LOG.error("not healthy: {}", text);
        }
        return Optional.of(text);
    }

    private Optional<Task> oldestTask() {
        return underWay.stream().max(Comparator.comparing(Task::age));
    }
}
