// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.AnalysisQueries.Names;
import io.sluice.rules.config.AnalysisQueries.Query;
import io.sluice.rules.config.option.DeclaredOptions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnalysisQueriesTest {
    private static final String PREFIX = "kubernetes.operator.bluegreen.query.";
    private static final Names NAMES = new Names("shop", "orders", "orders-green", "orders-blue");

    @Test
    void aQueryHasATextAndABound() {
        AnalysisQueries queries =
                of(
                        Map.of(
                                PREFIX + "errors.text", " up ",
                                PREFIX + "errors.max", "0.5",
                                PREFIX + "both.text", "up",
                                PREFIX + "both.min", "1",
                                PREFIX + "both.max", "2",
                                PREFIX + "unbounded.text", "up",
                                PREFIX + "no-text.max", "1",
                                PREFIX + "wrong.text", "up",
                                PREFIX + "wrong.min", "some"));

        assertThat(queries.queries())
                .containsExactly(
                        Map.entry("both", new Query("up", Optional.of(1.0), Optional.of(2.0))),
                        Map.entry("errors", new Query("up", Optional.empty(), Optional.of(0.5))));
    }

    @Test
    void namesStandInTheText() {
        assertThat(
                        query(
                                        "a{n=\"{{namespace}}\",p=\"{{name}}\",h=\"{{half}}\",x=\"{{active}}\"}")
                                .about(NAMES))
                .contains("a{n=\"shop\",p=\"orders\",h=\"orders-green\",x=\"orders-blue\"}");
        assertThat(query("sum(up{a=~\"{{half}}-.*\"})").about(NAMES))
                .contains("sum(up{a=~\"orders-green-.*\"})");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\"} or up{x=\"", "a.b", "a|b", "$1", "\\", "A", "", "{{name}}"})
    void aNameThatIsNoneOfKubernetesIsNeverPutIn(String name) {
        assertThat(query("up{a=\"{{half}}\"}").about(new Names("shop", "orders", name, "b")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "errors.max, some, is not a number",
        "errors.text, up{a=\"{{pod}}\"}, has {{pod}}",
        "errors.least, 1, NAME.text",
        "Errors.max, 1, NAME.text",
        "errors, up, NAME.text",
    })
    void theConfigurationIsRefusedForAQueryThatIsWrong(String key, String value, String told) {
        assertThat(review(Map.of(PREFIX + key, value)).errors())
                .singleElement()
                .asString()
                .startsWith(PREFIX + key + ": ")
                .contains(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prometheus:9090",
                "ftp://prometheus",
                "http://user:word@prometheus",
                "http://prometheus/?a=b",
                "http://prometheus/#a",
                "http:///api",
            })
    void theConfigurationIsRefusedForAnAddressThatIsNone(String address) {
        assertThat(
                        review(Map.of("kubernetes.operator.bluegreen.prometheus.address", address))
                                .errors())
                .singleElement()
                .asString()
                .contains("is not an address");
    }

    @Test
    void warnsOfAQueryThatCannotBeAsked() {
        assertThat(review(Map.of(PREFIX + "errors.text", "up")).warnings())
                .singleElement()
                .asString()
                .contains("errors")
                .contains(".min or .max");
        assertThat(
                        review(
                                        Map.of(
                                                PREFIX + "errors.text", "up",
                                                PREFIX + "errors.max", "1"))
                                .warnings())
                .isEmpty();
    }

    @Test
    void onlyTheOperatorsConfigurationDefinesThem() {
        assertThat(DeclaredOptions.of(PREFIX + "errors.text"))
                .hasValueSatisfying(
                        option -> {
                            assertThat(option.key())
                                    .isEqualTo("kubernetes.operator.bluegreen.query.*");
                            assertThat(option.ofResources()).isFalse();
                        });
        assertThat(KnownOptions.isOperatorOnly(PREFIX + "errors.text")).isTrue();
    }

    private static Query query(String text) {
        return new Query(text, Optional.empty(), Optional.of(1.0));
    }

    private static AnalysisQueries of(Map<String, String> entries) {
        return AnalysisQueries.of(new FlinkConfiguration(entries));
    }

    private static ConfigurationReview review(Map<String, String> entries) {
        return ConfigurationReview.of(new DefaultConfiguration(new FlinkConfiguration(entries)));
    }
}
