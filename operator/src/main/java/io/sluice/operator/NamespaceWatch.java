// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.health.EventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.Status;
import io.sluice.operator.config.Namespaces;
import io.sluice.operator.config.RefusedNamespaces;
import io.sluice.operator.config.Watched;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a namespace in which the API server refuses what is needed from stopping the others: it is
 * left out at the start, tried again, and counts for nothing in the process's health.
 */
final class NamespaceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceWatch.class);
    private static final Duration OFTEN = Duration.ofSeconds(5);
    private static final Duration SELDOM = Duration.ofMinutes(1);

    private final Operator operator;
    private final RefusedNamespaces refused;
    private final Runnable end;
    private final Duration often;
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("namespaces").factory());

    /**
     * @param end ends the process, so that it begins anew
     */
    NamespaceWatch(Operator operator, RefusedNamespaces refused, Runnable end) {
        this(operator, refused, end, OFTEN);
    }

    /**
     * @param end ends the process, so that it begins anew
     * @param often between two tries of those that are refused
     */
    NamespaceWatch(Operator operator, RefusedNamespaces refused, Runnable end, Duration often) {
        this.operator = operator;
        this.refused = refused;
        this.end = end;
        this.often = often;
    }

    /**
     * What of {@code wanted} can be watched now. Returns once anything can.
     *
     * @throws InterruptedException if the process is to end
     */
    Watched first(Watched wanted) throws InterruptedException {
        if (wanted.isAll()) {
            return wanted;
        }
        Set<String> accepted = refused.accepted(wanted.namespaces());
        if (accepted.isEmpty()) {
            accepted = recovered();
        }
        return accepted.equals(wanted.namespaces()) ? wanted : new Watched(accepted, true);
    }

    /**
     * Waits until one of those that are refused can be watched. Once this is closed nothing is
     * tried any more, and the wait ends with the process.
     */
    private Set<String> recovered() throws InterruptedException {
        var recovered = new CompletableFuture<Set<String>>();
        var trials =
                looks.scheduleWithFixedDelay(
                        () -> completeOnceAny(recovered),
                        often.toMillis(),
                        often.toMillis(),
                        TimeUnit.MILLISECONDS);
        try {
            return recovered.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("no namespace can be tried", failed.getCause());
        } finally {
            trials.cancel(false);
        }
    }

    private void completeOnceAny(CompletableFuture<Set<String>> recovered) {
        try {
            Set<String> accepted = refused.recovered();
            if (!accepted.isEmpty()) {
                recovered.complete(accepted);
            }
        } catch (RuntimeException failed) {
            recovered.completeExceptionally(failed);
        }
    }

    /** Tries those again that are refused, and looks whether the others still may be watched. */
    void follow(Namespaces namespaces) {
        var _ =
                looks.scheduleWithFixedDelay(
                        () -> tryAgain(namespaces),
                        often.toMillis(),
                        often.toMillis(),
                        TimeUnit.MILLISECONDS);
        var _ =
                looks.scheduleWithFixedDelay(
                        namespaces::look,
                        SELDOM.toMillis(),
                        SELDOM.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Half a change of what the framework watches leaves it without any work. */
    private void tryAgain(Namespaces namespaces) {
        Set<String> ended = ended();
        if (!ended.isEmpty()) {
            namespaces.look(ended);
        }
        try {
            namespaces.tryAgain();
        } catch (RuntimeException failed) {
            LOG.atError()
                    .setCause(failed)
                    .log("other namespaces can't be watched; the process ends");
            end.run();
        }
    }

    /** Whether something is not watched that could be. */
    boolean isInterrupted() {
        Set<String> unexplained = new TreeSet<>(ended());
        unexplained.removeAll(refused.interrupted());
        return !unexplained.isEmpty();
    }

    /** Namespaces of watches that have ended; for one of them all, a name that no namespace has. */
    private Set<String> ended() {
        return operator.getRuntimeInfo().unhealthyEventSources().values().stream()
                .flatMap(sources -> sources.values().stream())
                .flatMap(NamespaceWatch::ended)
                .collect(Collectors.toSet());
    }

    private static Stream<String> ended(EventSourceHealthIndicator source) {
        return source instanceof InformerWrappingEventSourceHealthIndicator<?> informers
                ? informers.informerHealthIndicators().values().stream()
                        .filter(informer -> informer.getStatus() != Status.HEALTHY)
                        .map(InformerHealthIndicator::getTargetNamespace)
                : Stream.of("*");
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
