// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MutantsTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final String SOURCE = "m/src/main/java/a/Sum.java";

    @TempDir private Path root;

    static Stream<Mutant> kept() {
        return Mutant.all(REPOSITORY).stream();
    }

    @BeforeEach
    void writeAModule() throws IOException {
        write(
                SOURCE,
                "package a;\nclass Sum {\n  int of(int a, int b) {\n    return a + b;\n  }\n}\n");
        write(
                "m/src/test/java/a/SumTest.java",
                """
                package a;
                class SumTest {
                    @Test
                    void addsTwo() {}

                    @ParameterizedTest
                    @CsvSource({"1, 2", "2, 3"})
                    void addsMany(int a, int b) {}

                    void isNoTest() {}
                }
                """);
    }

    @ParameterizedTest
    @MethodSource("kept")
    void everyKeptMutantAppliesToTheCodeAndNamesATest(Mutant mutant) {
        assertThat(mutant.rot(REPOSITORY)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kept")
    void everyKeptMutantSaysWhetherSimulatorsSeeIt(Mutant mutant) {
        assertThat(UnseenSources.of(REPOSITORY).sight(mutant)).isPresent();
    }

    @Test
    void whatNoSimulatorCanSeeIsSaidOfSourcesThatHaveMutants() {
        assertThat(UnseenSources.of(REPOSITORY).reasons().keySet())
                .allSatisfy(
                        beginning ->
                                assertThat(kept())
                                        .anyMatch(it -> UnseenSources.holds(beginning, it)));
    }

    @Test
    void manyAreKept() {
        assertThat(kept()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void plantsTheFaultWhateverTheWhiteSpace() {
        Mutant mutant =
                mutant(
                        "SumTest#addsTwo",
                        "int of(int a,\n        int b) { return a + b; }",
                        "int of(int a, int b) { return a - b; }");

        assertThat(mutant.rot(root)).isEmpty();
        assertThat(mutant.planted(root)).contains("a - b").doesNotContain("a + b");
    }

    @Test
    void mayReplaceATextByNothing() {
        assertThat(mutant("SumTest", "return a + b;", "").planted(root)).doesNotContain("return");
    }

    @ParameterizedTest
    @CsvSource({"return a * b;, 0 times", "int, 3 times"})
    void saysThatItsTextIsNotThereOnce(String was, String problem) {
        assertThat(mutant("SumTest", was, "x").rot(root))
                .hasValueSatisfying(why -> assertThat(why).contains(problem));
    }

    @ParameterizedTest
    @CsvSource({
        "SumTest#addsTwo, true", "SumTest#addsMany, true", "SumTest, true",
        "SumTest#isNoTest, false", "SumTest#adds, false", "NoTest, false",
    })
    void saysThatItsTestIsNotThere(String test, boolean there) {
        assertThat(mutant(test, "return a + b;", "return a - b;").rot(root).isEmpty())
                .isEqualTo(there);
    }

    @Test
    void saysThatItsSourceIsNotThere() throws IOException {
        Files.delete(root.resolve(SOURCE));

        assertThat(mutant("SumTest", "a", "b").rot(root))
                .hasValueSatisfying(why -> assertThat(why).contains(SOURCE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "simulator: SumTest 17",
                "simulator: SumTest#addsTwo 17",
                "unseen: No order of events.",
                "missed: No sum."
            })
    void saysWhetherSimulatorsSeeIt(String line) {
        String text = text("SumTest#addsTwo", "return a + b;", "return a - b;");

        Mutant mutant = Mutant.parse("sum", text.replace("---\n", line + "\n---\n"));

        assertThat(mutant.sight().map(Sight::line)).contains(line);
        assertThat(mutant.becomes()).isEqualTo("return a - b;\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulator: SumTest", "simulator: SumTest x", "seen: No sum."})
    void refusesWhatElseIsSaidOfSimulators(String line) {
        String text = text("SumTest#addsTwo", "return a + b;", "return a - b;");

        assertThatThrownBy(() -> Mutant.parse("sum", text.replace("---\n", line + "\n---\n")))
                .hasMessageContaining(line);
    }

    @Test
    void writesOnlyWhatItSaysOfSimulators() {
        String text = text("SumTest#addsTwo", "return a + b;", "$1");
        var caught = new Sight.Caught(NamedTest.parse("SumTest"), 17);

        String once = Mutant.withSight(text, new Sight.Missed("No $sum."));

        assertThat(once).isEqualTo(text.replace("---\n", "missed: No $sum.\n---\n"));
        assertThat(Mutant.withSight(once, caught))
                .isEqualTo(text.replace("---\n", "simulator: SumTest 17\n---\n"));
    }

    @Test
    void refusesAFileWithoutItsParts() {
        assertThatThrownBy(() -> Mutant.parse("sum", "why: it counts\n---\na\n+++\nb\n"))
                .hasMessageContaining("sum.mutant");
    }

    private Mutant mutant(String test, String was, String becomes) {
        return Mutant.parse("sum", text(test, was, becomes));
    }

    private static String text(String test, String was, String becomes) {
        return "why: It counts wrongly.\nsource: %s\ntest: %s\n---\n%s\n+++\n%s\n"
                .formatted(SOURCE, test, was, becomes);
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
