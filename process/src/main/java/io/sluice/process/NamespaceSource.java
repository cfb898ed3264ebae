// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What says which namespaces are served, and what of the configuration therefore does not hold. The
 * environment's names go before the file's selector, and that goes before the file's names.
 *
 * @param name of the environment variable or the configuration's key
 * @param ignored keys of the configuration that are set and do not hold
 */
public record NamespaceSource(String name, List<String> ignored) {
    /** Before anything was read. */
    public static final NamespaceSource UNKNOWN = new NamespaceSource("", List.of());

    private static final String NAMES = ProcessOptions.WATCHED_NAMESPACES.key();
    private static final String SELECTOR = ProcessOptions.WATCHED_NAMESPACES_SELECTOR.key();
    private static final String ENVIRONMENT = Variable.WATCH_NAMESPACES.wire();

    public NamespaceSource {
        ignored = List.copyOf(ignored);
    }

    /**
     * @param named the environment's namespaces
     */
    public static NamespaceSource of(Options options, Set<String> named) {
        List<String> set = set(options);
        if (!named.isEmpty()) {
            return new NamespaceSource(ENVIRONMENT, set);
        }
        return set.contains(SELECTOR)
                ? new NamespaceSource(SELECTOR, set.stream().filter(NAMES::equals).toList())
                : new NamespaceSource(NAMES, List.of());
    }

    private static List<String> set(Options options) {
        List<String> keys = new ArrayList<>();
        options.value(ProcessOptions.WATCHED_NAMESPACES)
                .filter(names -> !names.equals(List.of(Scope.EVERYWHERE)))
                .ifPresent(_ -> keys.add(NAMES));
        options.get(ProcessOptions.WATCHED_NAMESPACES_SELECTOR).ifPresent(_ -> keys.add(SELECTOR));
        if (options.get(ProcessOptions.DYNAMIC_NAMESPACES)) {
            keys.add(ProcessOptions.DYNAMIC_NAMESPACES.key());
        }
        return List.copyOf(keys);
    }

    /** What to tell of keys that do not hold, and what to do; empty if there are none. */
    public Optional<String> warning() {
        return Optional.of(ignored)
                .filter(keys -> !keys.isEmpty())
                .map(
                        keys ->
                                "The namespaces that are served are those of %s; %s of the configuration %s ignored. Leave out one or the other%s."
                                        .formatted(
                                                name,
                                                String.join(" and ", keys),
                                                keys.size() == 1 ? "is" : "are",
                                                name.equals(ENVIRONMENT)
                                                        ? " (the variable is watchNamespaces of the chart)"
                                                        : ""));
    }
}
