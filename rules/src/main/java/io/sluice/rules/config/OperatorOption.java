// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.config.value.Schedule;
import io.sluice.rules.pattern.AllowList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the operator's own options (docs/contract/configuration.md).
 *
 * @param key in full; one that ends with {@code *} is every key that begins so
 * @param words the only values there are, if it is a word; their case means nothing
 * @param otherwise what holds if it is not set; may be empty
 * @param ofResources whether a resource may set it for itself
 * @param meaning may be empty while it is not honoured
 */
public record OperatorOption(
        String key,
        Type type,
        List<String> words,
        String otherwise,
        boolean ofResources,
        Effect effect,
        String meaning) {
    static final String PREFIX = "kubernetes.operator.";
    private static final Pattern WORDS = Pattern.compile("word: (.*)");
    private static final Pattern COMMA = Pattern.compile(", ");

    /** All there are, by key. */
    public static final SequencedMap<String, OperatorOption> ALL = load();

    private static final int FIELDS = 6;

    public OperatorOption {
        words = List.copyOf(words);
    }

    /** When a change of the configuration's files takes effect. */
    public enum Effect {
        NOW,
        START,
        /** Never: the Apache operator has the option, and it is not honoured yet. */
        NO
    }

    /** What its value is. */
    public enum Type {
        FLAG(Optional.of(OptionType.FLAG)),
        DURATION(Optional.of(OptionType.DURATION)),
        NUMBER(Optional.of(OptionType.WHOLE_NUMBER)),
        MEMORY(Optional.of(OptionType.MEMORY)),
        DECIMAL(Optional.empty()),
        SCHEDULE(Optional.empty()),
        TEXT(Optional.empty()),
        /** One of those that the option lists. */
        WORD(Optional.empty()),
        LIST(Optional.empty()),
        /** An {@link AllowList}. */
        PATTERNS(Optional.empty()),
        MAP(Optional.empty());

        private final Optional<OptionType> checked;

        Type(Optional<OptionType> checked) {
            this.checked = checked;
        }

        /** What is wrong with {@code value}; empty if nothing is, or nobody can tell. */
        Optional<String> complaint(String value) {
            return switch (this) {
                case FLAG, DURATION, NUMBER, MEMORY, TEXT, WORD, LIST, MAP ->
                        checked.filter(type -> !type.accepts(value)).map(OptionType::complaint);
                case DECIMAL ->
                        complaint(
                                value.isBlank() || Options.decimalOf(value).isPresent(),
                                "is no number; write it like 1.5");
                case PATTERNS -> AllowList.complaint(Options.listOf(value));
                case SCHEDULE ->
                        complaint(
                                value.isBlank() || Schedule.parse(value).isPresent(),
                                "is neither a duration nor a cron expression; write 1 h or"
                                        + " 0 0 2 * * ?");
            };
        }

        private static Optional<String> complaint(boolean isFine, String text) {
            return isFine ? Optional.empty() : Optional.of(text);
        }
    }

    /** The one that {@code key} is of, under its newest spelling. */
    static Optional<OperatorOption> of(String key) {
        return Optional.ofNullable(ALL.get(key))
                .or(
                        () ->
                                ALL.values().stream()
                                        .filter(OperatorOption::isFamily)
                                        .filter(each -> key.startsWith(each.beginning()))
                                        .findFirst());
    }

    /** What is wrong with {@code value}; empty if nothing is, or nobody can tell. */
    Optional<String> complaint(String value) {
        boolean isOther =
                type == Type.WORD
                        && !value.isBlank()
                        && words.stream().noneMatch(value.strip()::equalsIgnoreCase);
        return isOther
                ? Optional.of("must be one of " + String.join(", ", words))
                : type.complaint(value);
    }

    private boolean isFamily() {
        return key.endsWith("*");
    }

    private String beginning() {
        return key.substring(0, key.length() - 1);
    }

    private static SequencedMap<String, OperatorOption> load() {
        SequencedMap<String, OperatorOption> all = new LinkedHashMap<>();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        OperatorOption.class.getResourceAsStream(
                                                "operator-options.txt"),
                                        "operator-options.txt"),
                                UTF_8))) {
            lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\\|", FIELDS))
                    .map(OperatorOption::of)
                    .forEach(option -> all.put(option.key(), option));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return Collections.unmodifiableSequencedMap(all);
    }

    private static OperatorOption of(String[] fields) {
        var each = Arrays.stream(fields).iterator();
        String key = PREFIX + each.next();
        String type = each.next();
        Matcher words = WORDS.matcher(type);
        boolean isWord = words.matches();
        return new OperatorOption(
                key,
                isWord ? Type.WORD : Type.valueOf(type.toUpperCase(Locale.ROOT)),
                isWord ? COMMA.splitAsStream(words.group(1)).toList() : List.of(),
                each.next(),
                each.next().equals("r"),
                Effect.valueOf(each.next().toUpperCase(Locale.ROOT)),
                each.next());
    }
}
