// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScopeTest {
    @Test
    void isAllThereIsIfNothingIsSaid() {
        assertThat(scope(Map.of(), Set.of())).isEqualTo(Scope.ALL);
    }

    @Test
    void readsEachOfItsKeys() {
        assertThat(
                        scope(
                                Map.of(
                                        "kubernetes.operator.watched.namespaces", "a, b",
                                        "kubernetes.operator.watched.namespaces.selector",
                                                "team=shop",
                                        "kubernetes.operator.dynamic.namespaces.enabled", "true",
                                        "kubernetes.operator.label.selector", "tier=gold"),
                                Set.of()))
                .isEqualTo(
                        new Scope(
                                Set.of("a", "b"),
                                Optional.of("team=shop"),
                                true,
                                Optional.of("tier=gold")));
    }

    @Test
    void takesTheEnvironmentsNamespacesBeforeThoseOfTheFiles() {
        assertThat(names("a", Set.of("b"))).containsExactly("b");
        assertThat(names("JOSDK_WATCH_CURRENT", Set.of())).containsExactly("home");
        assertThat(names("JOSDK_ALL_NAMESPACES", Set.of())).isEmpty();
    }

    @Test
    void namespacesOfTheEnvironmentDoNotChange() {
        var follows = Map.of("kubernetes.operator.dynamic.namespaces.enabled", "true");

        assertThat(scope(follows, Set.of()).followsNamespaces()).isTrue();
        assertThat(scope(follows, Set.of("b")).followsNamespaces()).isFalse();
    }

    @Test
    void namesOfTheEnvironmentGoBeforeTheSelectorOfTheFiles() {
        var selected = Map.of("kubernetes.operator.watched.namespaces.selector", "team=shop");

        assertThat(scope(selected, Set.of()).namespaceSelector()).contains("team=shop");
        assertThat(scope(selected, Set.of("b")).namespaceSelector()).isEmpty();
        assertThat(scope(selected, Set.of("b")).namespaces()).containsExactly("b");
    }

    private static Set<String> names(String watched, Set<String> environment) {
        return scope(Map.of("kubernetes.operator.watched.namespaces", watched), environment)
                .namespaces();
    }

    private static Scope scope(Map<String, String> configuration, Set<String> environment) {
        return Scope.of(new Options(new FlinkConfiguration(configuration)), environment, "home");
    }
}
