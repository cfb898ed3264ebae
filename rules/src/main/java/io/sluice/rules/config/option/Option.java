// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An option that Sluice reads. {@code Options.get} reads it from a configuration.
 *
 * @param key in full, in its newest spelling; one that ends with {@code *} stands for every key
 *     that begins so
 * @param type what a value of it is, for the reference and for whoever checks a configuration
 * @param reading reads a text that is not blank; empty if the text counts as not set
 * @param defaultText its default, as a configuration would write it; empty if there is none
 * @param otherwise the same as a value
 */
public record Option<T>(
        String key,
        OptionType<?> type,
        Function<String, Optional<T>> reading,
        String defaultText,
        T otherwise) {
    /**
     * Declares an option with a default.
     *
     * @throws IllegalArgumentException if {@code defaultText} is no value of {@code type}
     */
    static <T> Option<T> of(String key, OptionType<T> type, String defaultText) {
        T otherwise =
                type.read(defaultText)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "%s: its default '%s' is no %s"
                                                        .formatted(key, defaultText, type.word())));
        return new Option<>(key, type, type::read, defaultText, otherwise);
    }

    /** Declares an option that has no default. */
    static <T> Option<Optional<T>> of(String key, OptionType<T> type) {
        return new Option<>(key, type, text -> ifSet(type.read(text)), "", Optional.empty());
    }

    private static <T> Optional<Optional<T>> ifSet(Optional<T> value) {
        return value.isPresent() ? Optional.of(value) : Optional.empty();
    }

    /** The same option, of which a value that is not as {@code counts} counts as not set. */
    Option<T> where(Predicate<T> counts) {
        return new Option<>(
                key, type, text -> reading.apply(text).filter(counts), defaultText, otherwise);
    }

    /** What {@code text} says, which is not blank; empty if it counts as not set. */
    public Optional<T> read(String text) {
        return reading.apply(text);
    }

    /** Whether the operator or the autoscaler reads {@code key}, and Flink does not know it. */
    public static boolean isOurs(String key) {
        return key.startsWith(OperatorOption.PREFIX) || key.startsWith(AutoscalerOptions.PREFIX);
    }
}
