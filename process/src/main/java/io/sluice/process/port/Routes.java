// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Which page a path has. A part {@code *} of a page's path stands for any text but none. */
final class Routes {
    private final Map<String, Page> pages;

    Routes(Map<String, Page> pages) {
        this.pages = new TreeMap<>(pages);
    }

    Iterable<String> paths() {
        return new TreeSet<>(pages.keySet());
    }

    Optional<Page> page(String path) {
        return Optional.ofNullable(pages.get(path))
                .filter(_ -> !path.contains("*"))
                .or(
                        () ->
                                pages.entrySet().stream()
                                        .filter(page -> matches(page.getKey(), path))
                                        .map(Map.Entry::getValue)
                                        .findFirst());
    }

    private static boolean matches(String pattern, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        return wanted.length == given.length
                && IntStream.range(0, wanted.length)
                        .allMatch(
                                i ->
                                        wanted[i].equals("*")
                                                ? !given[i].isEmpty()
                                                : wanted[i].equals(given[i]));
    }
}
