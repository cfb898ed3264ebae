// SPDX-License-Identifier: Apache-2.0
package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.architecture.UsedPatterns.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every regular expression of every module reads texts that nearly match in linear time. Steps are
 * counted, so that the machine does not matter.
 */
class PatternsTest {
    private static final int LONG = 100_000;
    private static final int SHORT = 2_000;
    private static final int READS_A_CHARACTER = 40;
    private static final List<Use> USES = new ArrayList<>();

    @BeforeAll
    static void readAllModules() throws IOException {
        for (String folder : List.of("..", "../plugins")) {
            try (Stream<Path> modules = Files.list(Path.of(folder))) {
                for (Path module : modules.toList()) {
                    Path classes = module.resolve("target/classes");
                    if (Files.isDirectory(classes) && isShipped(module)) {
                        USES.addAll(UsedPatterns.in(classes));
                    }
                }
            }
        }
    }

    /** What is measured and tested with is given no texts of users. */
    private static boolean isShipped(Path module) {
        return !List.of("testkit", "bench", "e2e", "local", "supply")
                .contains(module.getFileName().toString());
    }

    @Test
    void patternsOfEveryModuleAreFound() {
        assertThat(USES)
                .extracting(use -> use.place().split("/", -1)[2])
                .contains(
                        "api",
                        "rules",
                        "process",
                        "webhook",
                        "operator",
                        "autoscaler",
                        "flink",
                        "cli");
    }

    @Test
    void everyPatternIsAConstant() {
        assertThat(USES).filteredOn(use -> use.text().isEmpty()).isEmpty();
    }

    @Test
    void everyPatternReadsTextsThatNearlyMatchInLinearTime() {
        assertThat(
                        USES.stream()
                                .flatMap(
                                        use ->
                                                slow(use).stream()
                                                        .map(
                                                                text ->
                                                                        use
                                                                                + "  reads too often: "
                                                                                + text))
                                .distinct())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+b",
                "(?:a|a)*b",
                "(?:[-_]\\w+)*=",
                "secret(?:[-_]\\w+|\\.key)*=",
                "\\s*,\\s*",
                "/+$",
                "\\w+@\\w+",
                "x.*y.*z",
                "(?:a|b)*c",
                "eyJ[-\\w]{8,}\\.",
            })
    void aPatternThatGoesBackTooOftenIsFound(String pattern) {
        assertThat(slow(new Use("a test", Optional.of(pattern), 0, true))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+b", "(?<!/)/++$", "[a-z]([-a-z0-9]{0,43}[a-z0-9])?", "//[^/@]*+@"})
    void aPatternThatDoesNotIsNot(String pattern) {
        assertThat(slow(new Use("a test", Optional.of(pattern), 0, !pattern.equals("a+b"))))
                .isEmpty();
    }

    private static Optional<NearMisses.Text> slow(Use use) {
        return use.text()
                .flatMap(
                        text -> {
                            Pattern pattern = Pattern.compile(text, use.flags());
                            List<NearMisses.Text> texts = NearMisses.of(text, use.flags());
                            return Stream.concat(
                                            texts.stream()
                                                    .filter(
                                                            each ->
                                                                    isSlow(
                                                                            use, pattern, each,
                                                                            SHORT)),
                                            texts.stream()
                                                    .filter(each -> each.repeated().length() == 1)
                                                    .filter(
                                                            each ->
                                                                    isSlow(
                                                                            use, pattern, each,
                                                                            LONG)))
                                    .findFirst();
                        });
    }

    private static boolean isSlow(Use use, Pattern pattern, NearMisses.Text text, int length) {
        long most = (long) READS_A_CHARACTER * length + 1_000;
        long once = Reads.of(pattern, use.isSearched(), text.ofLength(length / 2), most);
        long twice = Reads.of(pattern, use.isSearched(), text.ofLength(length), most);
        return twice == Long.MAX_VALUE || twice > 2.2 * once + 200;
    }
}
