// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Sees what is done to ordinary resources, and tells who waits for it. A running job that is
 * stopped or cancelled although no user wants it is kept as unwanted.
 */
public final class EffectLog {
    private record Expected(Effect effect, String name) {}

    private final Map<Expected, CompletableFuture<Long>> expected = new ConcurrentHashMap<>();
    private final Map<String, Long> lastOperatorLook = new ConcurrentHashMap<>();
    private final Map<String, Long> lastAutoscalerLook = new ConcurrentHashMap<>();
    private final Set<String> ending = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> unwanted = new ConcurrentLinkedQueue<>();
    private final Gaps operatorGaps = new Gaps();
    private final Gaps autoscalerGaps = new Gaps();

    /** Completed with {@link System#nanoTime} when it is done the next time. */
    CompletableFuture<Long> expect(Effect effect, String name) {
        var future = new CompletableFuture<Long>();
        expected.put(new Expected(effect, name), future);
        return future;
    }

    /** A user wants jobs of {@code name} to end. */
    void ends(String name) {
        ending.add(name);
    }

    void saw(Effect effect, String name) {
        CompletableFuture<Long> waiting = expected.remove(new Expected(effect, name));
        if (waiting != null) {
            waiting.complete(System.nanoTime());
        } else if ((effect == Effect.STOPPED || effect == Effect.CANCELLED)
                && !ending.contains(name)) {
            unwanted.add(effect + " " + name);
        }
    }

    /** The operator asked for the jobs of {@code name}. */
    void operatorLooked(String name) {
        operatorGaps.next(lastOperatorLook, name);
    }

    /** The autoscaler asked for metrics of {@code name}. */
    void autoscalerLooked(String name) {
        autoscalerGaps.next(lastAutoscalerLook, name);
    }

    /** Nobody looks at a JobManager that is not there. */
    void left(String name) {
        lastOperatorLook.remove(name);
        lastAutoscalerLook.remove(name);
    }

    /** From now on gaps and unwanted deeds are counted anew. */
    public void begin() {
        operatorGaps.clear();
        autoscalerGaps.clear();
        unwanted.clear();
    }

    /** Between two looks at the same JobManager; a gap that has not ended counts as it is. */
    public List<Measured> operatorGaps() {
        return operatorGaps.with(lastOperatorLook);
    }

    /** As {@link #operatorGaps}. */
    public List<Measured> autoscalerGaps() {
        return autoscalerGaps.with(lastAutoscalerLook);
    }

    public List<String> unwanted() {
        return List.copyOf(unwanted);
    }

    private static final class Gaps {
        /** Less than this belongs to the same look. */
        private static final long SAME_LOOK_MILLIS = 2000;

        private final ConcurrentLinkedQueue<Measured> ended = new ConcurrentLinkedQueue<>();

        void next(Map<String, Long> last, String name) {
            long now = System.nanoTime();
            Optional.ofNullable(last.put(name, now))
                    .flatMap(before -> gap(name, before, now))
                    .ifPresent(ended::add);
        }

        void clear() {
            ended.clear();
        }

        List<Measured> with(Map<String, Long> last) {
            long now = System.nanoTime();
            return Stream.concat(
                            ended.stream(),
                            last.entrySet().stream()
                                    .flatMap(
                                            each ->
                                                    gap(each.getKey(), each.getValue(), now)
                                                            .stream()))
                    .toList();
        }

        private static Optional<Measured> gap(String name, long before, long now) {
            long millis = (now - before) / 1_000_000;
            return millis > SAME_LOOK_MILLIS
                    ? Optional.of(new Measured(name, InstantSource.system().instant(), millis))
                    : Optional.empty();
        }
    }
}
