// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names in Flink's options of Kubernetes, of a resource's own {@code spec.flinkConfiguration}.
 * Lists and maps are read in their plain notation only: quotes and braces could hide a name here
 * that Flink reads there, so that such a value is a name that nobody allows.
 */
final class OptionNames {
    private static final Pattern SEMICOLON = Pattern.compile(";");
    private static final Pattern COMMA = Pattern.compile(",");

    private static final String UNREADABLE = "'\"{}[]\\\n\r";

    private OptionNames() {}

    /** The values of {@code keys}. */
    static Stream<Named> values(Request request, String kind, String... keys) {
        return Arrays.stream(keys)
                .flatMap(key -> value(request, key).map(text -> Named.of(path(key), text, kind)));
    }

    /** The elements of the list {@code key}, as in {@code a;b}. */
    static Stream<Named> elements(Request request, String kind, String key) {
        return value(request, key)
                .flatMap(
                        text ->
                                isPlain(text)
                                        ? parts(text, SEMICOLON)
                                                .map(it -> Named.of(path(key), it, kind))
                                        : Stream.of(unreadable(key, "a;b")));
    }

    /** The keys of the map {@code key}, as in {@code a:b,c:d} or in entries of its own. */
    static Stream<Named> keys(Request request, String kind, String key) {
        Stream<Named> together =
                value(request, key)
                        .flatMap(
                                text ->
                                        isPlain(text)
                                                ? parts(text, COMMA)
                                                        .map(
                                                                it ->
                                                                        Named.of(
                                                                                path(key),
                                                                                upToColon(it),
                                                                                kind))
                                                : Stream.of(unreadable(key, "a:b,c:d")));
        Stream<Named> single =
                own(request).keySet().stream()
                        .filter(each -> each.startsWith(key + "."))
                        .map(each -> Named.of(path(each), each.substring(key.length() + 1), kind));
        return Stream.concat(together, single);
    }

    /**
     * What the maps of the list {@code key} have for {@code field}, as in {@code a:b,c:d;a:e};
     * empty for a map without.
     */
    static Stream<Named> fields(Request request, String kind, String key, String field) {
        return value(request, key)
                .flatMap(
                        text ->
                                isPlain(text)
                                        ? parts(text, SEMICOLON)
                                                .map(
                                                        map ->
                                                                Named.of(
                                                                        path(key),
                                                                        field(map, field),
                                                                        kind))
                                        : Stream.of(unreadable(key, "a:b,c:d;a:e")));
    }

    private static String field(String map, String field) {
        return parts(map, COMMA)
                .filter(entry -> upToColon(entry).equals(field))
                .map(entry -> entry.substring(entry.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static Stream<String> value(Request request, String key) {
        return request.spec().flinkConfiguration().get(key).stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static Map<String, String> own(Request request) {
        return new TreeMap<>(request.spec().flinkConfiguration().entries());
    }

    private static Stream<String> parts(String text, Pattern separator) {
        return separator.splitAsStream(text).map(String::strip).filter(part -> !part.isEmpty());
    }

    private static String upToColon(String entry) {
        int colon = entry.indexOf(':');
        return (colon < 0 ? entry : entry.substring(0, colon)).strip();
    }

    private static boolean isPlain(String text) {
        return text.chars().noneMatch(each -> UNREADABLE.indexOf(each) >= 0);
    }

    private static Named unreadable(String key, String notation) {
        return new Named(
                path(key),
                "",
                "has quotes or brackets, which could hide a name from the rules; write it as "
                        + notation);
    }

    private static String path(String key) {
        return "spec.flinkConfiguration[" + key + "]";
    }
}
