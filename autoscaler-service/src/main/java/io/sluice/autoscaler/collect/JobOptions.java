// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/**
 * The options of one job below {@code job.autoscaler.}, or in their older spelling below {@code
 * kubernetes.operator.job.autoscaler.}. A value that can't be read counts as not set and is noted:
 * one typing error must not end the scaling of a job.
 */
public final class JobOptions {
    private static final String PREFIX = "job.autoscaler.";
    private static final String OLD_PREFIX = "kubernetes.operator.job.autoscaler.";

    private final FlinkConfiguration options;
    private final List<String> ignored = new ArrayList<>();

    public JobOptions(FlinkConfiguration options) {
        this.options = options;
    }

    public Optional<String> text(String key) {
        return options.get(PREFIX + key).or(() -> options.get(OLD_PREFIX + key)).map(String::strip);
    }

    public boolean flag(String key, boolean otherwise) {
        return text(key).map(Boolean::parseBoolean).orElse(otherwise);
    }

    /** A number that is at least {@code least}. */
    public Optional<Double> number(String key, double least) {
        return read(key, Double::valueOf, value -> value >= least, "a number from " + least);
    }

    /** A whole number that is at least {@code least}. */
    public Optional<Integer> integer(String key, int least) {
        return read(key, Integer::valueOf, value -> value >= least, "a whole number from " + least);
    }

    /** A duration that is not negative. */
    public Optional<Duration> duration(String key) {
        return read(
                key, TimeUtils::parseDuration, value -> !value.isNegative(), "a time like 5 min");
    }

    /** A size in bytes. */
    public Optional<Long> bytes(String key) {
        return read(key, text -> MemorySize.parse(text).getBytes(), _ -> true, "a size like 8 gb");
    }

    /** One of the names of {@code words}, in any case. */
    public <E extends Enum<E>> Optional<E> choice(String key, List<E> words) {
        return read(
                key,
                text ->
                        words.stream()
                                .filter(word -> word.name().equalsIgnoreCase(text))
                                .findFirst()
                                .orElseThrow(IllegalArgumentException::new),
                _ -> true,
                "one of "
                        + words.stream()
                                .map(word -> word.name().toLowerCase(Locale.ROOT))
                                .toList());
    }

    /** What could not be read so far: key, value and remedy. */
    public List<String> ignored() {
        return List.copyOf(ignored);
    }

    private <T> Optional<T> read(
            String key, Function<String, T> parse, Function<T, Boolean> good, String wanted) {
        Optional<String> text = text(key);
        Optional<T> value;
        try {
            value = text.map(parse).filter(good::apply);
        } catch (IllegalArgumentException unreadable) {
            value = Optional.empty();
        }
        if (text.isPresent() && value.isEmpty()) {
            ignored.add(PREFIX + key + "='" + text.get() + "' is ignored: set it to " + wanted);
        }
        return value;
    }
}
