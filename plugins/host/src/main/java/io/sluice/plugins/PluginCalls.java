// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugins;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs what plugins do on threads of their own. A plugin may compute for ever or block: each call
 * has a time, after which its thread is interrupted and whoever waits is told. A call that goes on
 * nevertheless keeps its thread, of which a namespace may have 8 and all namespaces together 64.
 */
public final class PluginCalls {
    private static final int MOST = 64;
    private static final int MOST_OF_NAMESPACE = 8;

    private final InstantSource uptime;
    private final CallPlaces places = new CallPlaces(MOST, MOST_OF_NAMESPACE);

    /** What came of beginning a call. */
    public sealed interface Begun<T> {
        /**
         * The call is under way, or over already.
         *
         * @param answer of the plugins; ends with a {@link TimeoutException} when the time is over
         * @param plugin class name of the plugin that is at work, or was the last to be
         */
        record Running<T>(CompletableFuture<T> answer, AtomicReference<String> plugin)
                implements Begun<T> {}

        /** Nothing was begun: there is no thread now, and there will be one soon. */
        record Full<T>() implements Begun<T> {}

        /** Nothing was begun: all threads are taken by calls whose time has been over. */
        record Hanging<T>() implements Begun<T> {}
    }

    /**
     * @param uptime a clock that only goes forward
     */
    public PluginCalls(InstantSource uptime) {
        this.uptime = uptime;
    }

    /**
     * Begins a call and returns at once.
     *
     * @param key of the call; a namespace has one call with the same key at a time
     * @param timeout for the whole call, 1 ms at least
     * @param work is told whom to notify of the plugin that it asks
     */
    public <T> Begun<T> begin(
            String namespace, String key, Duration timeout, Function<Plugins.Progress, T> work) {
        return switch (places.take(namespace, key, uptime.instant(), timeout)) {
            case FULL -> new Begun.Full<>();
            case HANGING -> new Begun.Hanging<>();
            case TAKEN -> start(namespace, key, timeout, work);
        };
    }

    private <T> Begun<T> start(
            String namespace, String key, Duration timeout, Function<Plugins.Progress, T> work) {
        var answer = new CompletableFuture<T>();
        var plugin = new AtomicReference<>("");
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("plugins " + namespace + "/" + key)
                        .unstarted(
                                () -> {
                                    try {
                                        answer.complete(
                                                freeing(
                                                        namespace,
                                                        key,
                                                        () -> work.apply(plugin::set)));
                                    } catch (RuntimeException | Error fault) {
                                        answer.completeExceptionally(fault);
                                    }
                                });
        var _ =
                answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete(
                                (_, fault) -> {
                                    if (fault instanceof TimeoutException) {
                                        thread.interrupt();
                                    }
                                });
        thread.start();
        return new Begun.Running<>(answer, plugin);
    }

    /** The place is free before anybody knows the answer: a next call may follow at once. */
    private <T> T freeing(String namespace, String key, Supplier<T> work) {
        try {
            return work.get();
        } finally {
            places.free(namespace, key);
        }
    }
}
