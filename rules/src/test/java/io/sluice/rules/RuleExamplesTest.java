// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RuleExamplesTest {
    static List<String> rules() {
        return Stream.concat(
                        Stream.of(DeploymentRules.FIELD_TYPE),
                        DeploymentRules.ALL.stream().map(Rule::id))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void hasExamplesOfBothKinds(String rule) {
        assertThat(Fixtures.of(rule, "valid")).isNotEmpty();
        assertThat(Fixtures.of(rule, "invalid")).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void findsNothingInWhatIsValid(String rule) {
        for (Path file : Fixtures.of(rule, "valid")) {
            assertThat(DeploymentRules.check(Fixtures.review(file))).as(file.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void findsThisAndOnlyThisInWhatIsInvalid(String rule) {
        for (Path file : Fixtures.of(rule, "invalid")) {
            var violations = DeploymentRules.check(Fixtures.review(file));
            assertThat(violations)
                    .as(file.toString())
                    .singleElement()
                    .satisfies(
                            violation -> {
                                assertThat(violation.rule()).isEqualTo(rule);
                                assertThat(violation.problem().path()).isNotBlank();
                                assertThat(violation.problem().message()).isNotBlank();
                            });
        }
    }

    @Test
    void noExampleIsWithoutARule() throws IOException {
        try (var folders = Files.list(Fixtures.ROOT)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(rules());
        }
    }

    @Test
    void idsAreUnique() {
        assertThat(rules()).doesNotHaveDuplicates();
    }
}
