// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.rules.config.value.FlinkDuration;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.config.value.Schedule;
import io.sluice.rules.pattern.AllowList;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the value of an option is: how it is read, and what is wrong with a text that is no such
 * value.
 *
 * @param word names the type in the reference
 * @param words the only values that there are, in any case; empty where the type does not list them
 * @param reading reads a text; empty if it is no value of this type
 * @param review says what is wrong with a text; empty if nothing is, or nobody can tell
 */
public record OptionType<T>(
        String word,
        List<String> words,
        Function<String, Optional<T>> reading,
        Function<String, Optional<String>> review) {
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,9}");
    private static final Pattern REAL =
            Pattern.compile("[+-]?(?:Infinity|(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d{1,3})?)");

    public static final OptionType<Boolean> FLAG =
            checked("flag", OptionType::flag, "must be true or false");

    public static final OptionType<Duration> DURATION =
            checked(
                    "duration",
                    FlinkDuration::parse,
                    "is not a duration; write it like 15 s, 5 min or 1 d");

    public static final OptionType<Integer> NUMBER =
            checked("number", OptionType::number, "must be a whole number");

    /** Not-a-number is none. */
    public static final OptionType<Double> DECIMAL =
            checked("decimal", OptionType::decimal, "is not a number; write it like 1.5");

    /** The units of Kubernetes are read too, though a configuration should not have them. */
    public static final OptionType<MemorySize> MEMORY =
            new OptionType<>(
                    "memory",
                    List.of(),
                    MemorySize::parse,
                    text ->
                            complaint(
                                    MemorySize.parseFlink(text).isPresent(),
                                    "is not a memory size of Flink's; write it like 2g or 2048m"));

    public static final OptionType<Schedule> SCHEDULE =
            checked(
                    "schedule",
                    Schedule::parse,
                    "is neither a duration nor a cron expression; write 1 h or 0 0 2 * * ?");

    /** The root of an HTTP server, without what an address may hide. */
    static final OptionType<URI> WEB_ADDRESS =
            checked(
                    "address",
                    OptionType::webAddress,
                    "is not an address; write it like https://prometheus.example.org:9090, without"
                            + " user, query and fragment");

    public static final OptionType<String> TEXT = unchecked("text", Function.identity());

    /** Elements have semicolons or commas between them, or are a list of YAML. */
    public static final OptionType<List<String>> LIST = unchecked("list", OptionType::elements);

    /** A list as Flink writes it, whose elements may have commas. */
    public static final OptionType<List<String>> FLINK_LIST =
            unchecked("list", OptionType::flinksList);

    /** The elements of an {@link AllowList}. */
    public static final OptionType<List<String>> PATTERNS =
            new OptionType<>(
                    "patterns",
                    List.of(),
                    text -> Optional.of(flinksList(text)),
                    text -> AllowList.complaint(flinksList(text)));

    /** Entries {@code key:value} with commas between them; others are left out. */
    public static final OptionType<Map<String, String>> MAP = unchecked("map", OptionType::entries);

    public OptionType {
        words = List.copyOf(words);
    }

    /** One of {@code words}, in any case; a word that is none of them is read too. */
    static OptionType<String> oneOf(String... words) {
        List<String> all = List.of(words);
        return new OptionType<>(
                "word",
                all,
                Optional::of,
                text ->
                        complaint(
                                all.stream().anyMatch(text::equalsIgnoreCase),
                                "must be one of " + String.join(", ", all)));
    }

    private static <T> OptionType<T> checked(
            String word, Function<String, Optional<T>> reading, String complaint) {
        return new OptionType<>(
                word,
                List.of(),
                reading,
                text -> complaint(reading.apply(text).isPresent(), complaint));
    }

    private static <T> OptionType<T> unchecked(String word, Function<String, T> reading) {
        return new OptionType<>(
                word, List.of(), text -> Optional.of(reading.apply(text)), _ -> Optional.empty());
    }

    private static Optional<String> complaint(boolean isFine, String text) {
        return isFine ? Optional.empty() : Optional.of(text);
    }

    /** What {@code text} says; empty if it is no value of this type. */
    public Optional<T> read(String text) {
        return reading.apply(text.strip());
    }

    /** What is wrong with {@code text}; a blank one counts as not set. */
    public Optional<String> complaint(String text) {
        return text.isBlank() ? Optional.empty() : review.apply(text.strip());
    }

    private static Optional<Boolean> flag(String text) {
        boolean isTrue = text.equalsIgnoreCase("true");
        return isTrue || text.equalsIgnoreCase("false") ? Optional.of(isTrue) : Optional.empty();
    }

    private static Optional<URI> webAddress(String text) {
        try {
            URI address = new URI(text);
            boolean isWhole =
                    Stream.of("http", "https").anyMatch(it -> it.equals(address.getScheme()))
                            && address.getHost() != null
                            && Stream.of(
                                            Optional.ofNullable(address.getRawUserInfo()),
                                            Optional.ofNullable(address.getRawQuery()),
                                            Optional.ofNullable(address.getRawFragment()))
                                    .allMatch(Optional::isEmpty);
            return isWhole ? Optional.of(address) : Optional.empty();
        } catch (URISyntaxException broken) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> number(String text) {
        return WHOLE.matcher(text).matches()
                ? Optional.of(Integer.valueOf(text))
                : Optional.empty();
    }

    private static Optional<Double> decimal(String text) {
        return REAL.matcher(text).matches() ? Optional.of(Double.valueOf(text)) : Optional.empty();
    }

    /**
     * A list as Flink writes it: {@code a;b}, or as YAML {@code ['a', 'b']}. Blank elements are
     * left out.
     */
    private static List<String> flinksList(String text) {
        Stream<String> elements =
                text.startsWith("[") ? yaml(text) : Stream.of(text.split(";", -1));
        return elements.map(String::strip).filter(element -> !element.isEmpty()).toList();
    }

    private static Stream<String> yaml(String text) {
        try {
            return Stream.of(new YAMLMapper().readValue(text, String[].class));
        } catch (JsonProcessingException notYaml) {
            return Stream.of(text);
        }
    }

    private static List<String> elements(String text) {
        return flinksList(text).stream()
                .flatMap(each -> Stream.of(each.split(",", -1)))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static Map<String, String> entries(String text) {
        Map<String, String> entries = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            int colon = entry.indexOf(':');
            if (colon > 0) {
                entries.put(entry.substring(0, colon).strip(), entry.substring(colon + 1).strip());
            }
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
}
