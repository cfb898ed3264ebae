// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
    private static final Placeholders NAMES = new Placeholders("team-a", "orders");

    @ParameterizedTest
    @CsvSource({
        "*, anything, true",
        "none, anything, false",
        "none, '', false",
        "a, a, true",
        "a, A, true",
        "a, ab, false",
        "flink-*, flink-, true",
        "flink-*, aflink-b, false",
        "*.example.org, a.b.example.org, true",
        "*.example.org, .example.org, false",
        "*.example.org, example.org, false",
        "*.{{namespace}}.example.org, x.team-a.example.org, true",
        "*.{{namespace}}.example.org, x.team-b.example.org, false",
        "{{ Name }}-tls, orders-tls, true",
        "'{{name}}', '*', false",
        "'*.a,b', b, true",
    })
    void allowsWhatItLists(String pattern, String name, boolean isAllowed) {
        assertThat(AllowList.of("key", List.of(pattern), NAMES).allows(name)).isEqualTo(isAllowed);
    }

    @Test
    void allowsEverythingIfItIsNotSet() {
        assertThat(AllowList.of("key", List.of(), NAMES).allows("x")).isTrue();
    }

    @Test
    void allowsNothingIfItListsNothing() {
        assertThat(AllowList.of("key", List.of(","), NAMES).allows("x")).isFalse();
    }

    @Test
    void takesNoAsteriskFromAResourcesName() {
        var names = new Placeholders("team-a", "*");

        assertThat(AllowList.of("key", List.of("{{name}}"), names).allows("x")).isFalse();
        assertThat(AllowList.of("key", List.of("{{name}}.org"), names).allows("x.org")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a*b",
                "**",
                "*.",
                "{{team}}.example.org",
                "{{name}}-{{namespace}}.example.org",
                "a,none"
            })
    void complainsOfWhatCannotBeMeant(String value) {
        assertThat(AllowList.complaint(List.of(value))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "none",
                "a, b-*",
                "*.{{namespace}}.example.org",
                "{{name}}.{{namespace}}.a"
            })
    void takesTheRest(String value) {
        assertThat(AllowList.complaint(List.of(value))).isEmpty();
    }

    @Test
    void readsATextOfManyBracesInOneGo() {
        String braces = "{{".repeat(200_000) + "name}}";

        assertThat(NAMES.fill(braces)).endsWith("orders").hasSize(399_998 + "orders".length());
    }
}
