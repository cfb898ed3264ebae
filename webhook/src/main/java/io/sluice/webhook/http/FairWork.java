// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Requests that wait to be worked on: the peers' in turns, each peer's in the order of arrival.
 * There may be a number of them; when there are more, whoever has the most loses its newest.
 */
final class FairWork {
    private final Executor workers;
    private final int most;
    private final Map<InetAddress, Deque<Task>> byPeer = new LinkedHashMap<>();
    private int waiting;

    /**
     * @param run does it
     * @param refuse answers that there is too much to do; called instead of {@code run}
     */
    record Task(Runnable run, Runnable refuse) {}

    /**
     * @param workers runs what it is given in the order it came, by few threads
     * @param most how many may wait
     */
    FairWork(Executor workers, int most) {
        this.workers = workers;
        this.most = most;
    }

    void submit(InetAddress peer, Task task) {
        Optional<Task> refused = Optional.empty();
        synchronized (this) {
            byPeer.computeIfAbsent(peer, _ -> new ArrayDeque<>()).addLast(task);
            waiting++;
            if (waiting > most) {
                refused = Optional.of(newestOfTheLongest());
            }
        }
        // Each takes whatever is next then; who finds nothing left does nothing.
        workers.execute(() -> next().ifPresent(each -> each.run().run()));
        refused.ifPresent(each -> each.refuse().run());
    }

    private Task newestOfTheLongest() {
        Map.Entry<InetAddress, Deque<Task>> longest =
                byPeer.entrySet().stream()
                        .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                        .orElseThrow();
        Task newest = longest.getValue().removeLast();
        forgetIfEmpty(longest);
        waiting--;
        return newest;
    }

    /** The oldest of the peer whose turn it is, which then comes last. */
    private synchronized Optional<Task> next() {
        return byPeer.entrySet().stream().findFirst().map(this::take);
    }

    private Task take(Map.Entry<InetAddress, Deque<Task>> peer) {
        Deque<Task> tasks = peer.getValue();
        InetAddress address = peer.getKey();
        Task task = tasks.removeFirst();
        waiting--;
        byPeer.remove(address);
        if (!tasks.isEmpty()) {
            byPeer.put(address, tasks);
        }
        return task;
    }

    private void forgetIfEmpty(Map.Entry<InetAddress, Deque<Task>> peer) {
        if (peer.getValue().isEmpty()) {
            byPeer.remove(peer.getKey());
        }
    }
}
