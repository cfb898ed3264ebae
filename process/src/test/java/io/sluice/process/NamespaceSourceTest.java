// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceSourceTest {
    private static final String NAMES = "kubernetes.operator.watched.namespaces";
    private static final String SELECTOR = "kubernetes.operator.watched.namespaces.selector";
    private static final String DYNAMIC = "kubernetes.operator.dynamic.namespaces.enabled";

    @Test
    void saysNothingWhereOneThingSaysWhichNamespacesAreServed() {
        assertThat(source(Map.of(), Set.of()).warning()).isEmpty();
        assertThat(source(Map.of(), Set.of("a")).warning()).isEmpty();
        assertThat(source(Map.of(NAMES, "a", DYNAMIC, "true"), Set.of()).warning()).isEmpty();
        assertThat(source(Map.of(SELECTOR, "tier=gold"), Set.of()).warning()).isEmpty();
        assertThat(
                        source(Map.of(NAMES, "JOSDK_ALL_NAMESPACES", DYNAMIC, "false"), Set.of("a"))
                                .warning())
                .isEmpty();
    }

    @Test
    void namesOfTheEnvironmentGoBeforeWhateverTheFileSays() {
        NamespaceSource source =
                source(Map.of(NAMES, "b", SELECTOR, "tier=gold", DYNAMIC, "true"), Set.of("a"));

        assertThat(source.name()).isEqualTo("SLUICE_WATCH_NAMESPACES");
        assertThat(source.ignored()).containsExactly(NAMES, SELECTOR, DYNAMIC);
        assertThat(source.warning())
                .contains(
                        "The namespaces that are served are those of SLUICE_WATCH_NAMESPACES; "
                                + NAMES
                                + " and "
                                + SELECTOR
                                + " and "
                                + DYNAMIC
                                + " of the configuration are ignored. Leave out one or the other"
                                + " (the variable is watchNamespaces of the chart).");
    }

    @Test
    void aSelectorGoesBeforeNames() {
        NamespaceSource source =
                source(Map.of(NAMES, "b", SELECTOR, "tier=gold", DYNAMIC, "true"), Set.of());

        assertThat(source.name()).isEqualTo(SELECTOR);
        assertThat(source.warning())
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains(NAMES + " of the configuration is ignored"));
    }

    private static NamespaceSource source(Map<String, String> configuration, Set<String> named) {
        return NamespaceSource.of(new Options(new FlinkConfiguration(configuration)), named);
    }
}
