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

    @Test
    void refusesAFileWithoutItsParts() {
        assertThatThrownBy(() -> Mutant.parse("sum", "why: it counts\n---\na\n+++\nb\n"))
                .hasMessageContaining("sum.mutant");
    }

    private Mutant mutant(String test, String was, String becomes) {
        return Mutant.parse(
                "sum",
                "why: It counts wrongly.\nsource: %s\ntest: %s\n---\n%s\n+++\n%s\n"
                        .formatted(SOURCE, test, was, becomes));
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
