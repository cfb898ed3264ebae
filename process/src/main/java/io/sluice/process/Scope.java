// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which resources an installation serves, as its configuration says ({@code
 * docs/reference/configuration.md}).
 *
 * @param namespaces by name; empty for all
 * @param namespaceSelector a label selector of namespaces, in place of names; empty where the
 *     environment has names
 * @param followsNamespaces whether a change of {@code namespaces} holds without a restart, which
 *     those of the environment have none of
 * @param labelSelector of resources
 */
public record Scope(
        Set<String> namespaces,
        Optional<String> namespaceSelector,
        boolean followsNamespaces,
        Optional<String> labelSelector) {
    /** All there are. */
    public static final Scope ALL = new Scope(Set.of(), Optional.empty(), false, Optional.empty());

    static final String EVERYWHERE = "JOSDK_ALL_NAMESPACES";
    private static final String CURRENT = "JOSDK_WATCH_CURRENT";

    public Scope {
        namespaces = Collections.unmodifiableSet(new LinkedHashSet<>(namespaces));
    }

    /**
     * @param named the environment's namespaces, which go before those of the files
     *     (docs/contract/configuration.md, section 6)
     * @param current the process's own namespace
     */
    public static Scope of(Options options, Set<String> named, String current) {
        boolean byFile = named.isEmpty();
        return new Scope(
                byFile ? namespaces(options, current) : named,
                options.get(ProcessOptions.WATCHED_NAMESPACES_SELECTOR).filter(_ -> byFile),
                byFile && options.get(ProcessOptions.DYNAMIC_NAMESPACES),
                options.get(ProcessOptions.LABEL_SELECTOR));
    }

    private static Set<String> namespaces(Options options, String current) {
        return options.get(ProcessOptions.WATCHED_NAMESPACES).stream()
                .filter(name -> !name.equals(EVERYWHERE))
                .map(name -> name.equals(CURRENT) ? current : name)
                .collect(Collectors.toSet());
    }
}
