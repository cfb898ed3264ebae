// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.Option;
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
    private final FlinkConfiguration options;
    private final List<String> ignored = new ArrayList<>();

    public JobOptions(FlinkConfiguration options) {
        this.options = options;
    }

    /** What the option is set to, whatever its type. */
    public Optional<String> text(Option<?> option) {
        return options.get(option.key())
                .or(() -> options.get(OperatorOption.PREFIX + option.key()))
                .map(String::strip);
    }

    public boolean flag(Option<Boolean> option) {
        return text(option).map(Boolean::parseBoolean).orElseGet(option::otherwise);
    }

    /** A number that is at least {@code least}. */
    public double number(Option<Double> option, double least) {
        return numberIfSet(option, least).orElseGet(option::otherwise);
    }

    /** Likewise, without its default. */
    public Optional<Double> numberIfSet(Option<?> option, double least) {
        return read(option, Double::valueOf, value -> value >= least, "a number from " + least);
    }

    /** A whole number that is at least {@code least}. */
    public int integer(Option<Integer> option, int least) {
        return read(
                        option,
                        Integer::valueOf,
                        value -> value >= least,
                        "a whole number from " + least)
                .orElseGet(option::otherwise);
    }

    /** A duration that is not negative. */
    public Duration duration(Option<Duration> option) {
        return durationIfSet(option).orElseGet(option::otherwise);
    }

    /** Likewise, without its default. */
    public Optional<Duration> durationIfSet(Option<?> option) {
        return read(
                option,
                TimeUtils::parseDuration,
                value -> !value.isNegative(),
                "a time like 5 min");
    }

    /** A size in bytes; empty if it is not set. */
    public Optional<Long> bytesIfSet(Option<?> option) {
        return read(
                option, text -> MemorySize.parse(text).getBytes(), _ -> true, "a size like 8 gb");
    }

    /** One of the names of {@code words}, in any case, of which the default has to be one. */
    public <E extends Enum<E>> E choice(Option<String> option, List<E> words) {
        return choiceIfSet(option, words).orElseGet(() -> word(option.otherwise(), words));
    }

    /** Likewise, without its default. */
    public <E extends Enum<E>> Optional<E> choiceIfSet(Option<?> option, List<E> words) {
        return read(
                option,
                text -> word(text, words),
                _ -> true,
                "one of "
                        + words.stream()
                                .map(word -> word.name().toLowerCase(Locale.ROOT))
                                .toList());
    }

    private static <E extends Enum<E>> E word(String text, List<E> words) {
        return words.stream()
                .filter(word -> word.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    /** What could not be read so far: key, value and remedy. */
    public List<String> ignored() {
        return List.copyOf(ignored);
    }

    private <T> Optional<T> read(
            Option<?> option, Function<String, T> parse, Function<T, Boolean> good, String wanted) {
        Optional<String> text = text(option);
        Optional<T> value;
        try {
            value = text.map(parse).filter(good::apply);
        } catch (IllegalArgumentException unreadable) {
            value = Optional.empty();
        }
        if (text.isPresent() && value.isEmpty()) {
            ignored.add(option.key() + "='" + text.get() + "' is ignored: set it to " + wanted);
        }
        return value;
    }
}
