// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
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
                        Stream.of(RuleSet.FIELD_TYPE),
                        RuleCatalogue.BY_KIND.values().stream()
                                .flatMap(List::stream)
                                .map(Rule::id)
                                .distinct())
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
            assertThat(Fixtures.review(file).problems()).as(file.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void findsThisAndOnlyThisInWhatIsInvalid(String rule) {
        for (Path file : Fixtures.of(rule, "invalid")) {
            var violations = Fixtures.review(file).problems();
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

    @ParameterizedTest
    @MethodSource("rules")
    void findsTheSameForWhoHasNobodyToWarn(String rule) {
        Stream.of("valid", "invalid")
                .flatMap(kind -> Fixtures.of(rule, kind).stream())
                .forEach(
                        file ->
                                assertThat(Fixtures.problems(file))
                                        .isEqualTo(Fixtures.review(file).problems()));
    }

    @Test
    void noExampleIsWithoutARule() throws IOException {
        try (var folders = Files.list(Fixtures.ROOT)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(rules());
        }
    }

    @Test
    void idsAreUniqueWithinAKind() {
        assertThat(RuleCatalogue.BY_KIND.values())
                .allSatisfy(
                        rules -> assertThat(rules).extracting(Rule::id).doesNotHaveDuplicates());
    }
}
