// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.pattern.Placeholders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IngressUrlTest {
    private static final Placeholders NAMES = new Placeholders("team-a", "orders");

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org, /",
        "https://example.org:8443/ui, example.org, /ui",
        "'  {{name}}.{{ Namespace }}.example.org/{{name}}', orders.team-a.example.org, /orders",
        "http://{{namespace}}, team-a, /",
        "example.org/a:b, example.org, /a:b",
    })
    void hasTheHostAndThePath(String template, String host, String path) {
        var url = IngressUrl.of(template, NAMES).orElseThrow();

        assertThat(url.host()).contains(host);
        assertThat(url.path()).isEqualTo(path);
    }

    @Test
    void isOfEveryHostWithoutOne() {
        assertThat(IngressUrl.of("/{{name}}", NAMES).orElseThrow().host()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "a:123456", "a:", "HTTPS://a", "a/b\nc"})
    void isNoneOfWhatIsNoUrl(String template) {
        assertThat(IngressUrl.of(template, NAMES)).isEmpty();
    }
}
