// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plants mutants in a module of its own. */
class KeptMutantsTest {
    @TempDir private Path root;

    @BeforeEach
    void writeAModule() throws IOException {
        write(
                "m/src/main/java/a/Sum.java",
                "package a; class Sum { int of(int a, int b) { return a + b; } }");
        write(
                "m/src/test/java/a/SumTest.java",
                """
                package a;
                import static org.junit.jupiter.api.Assertions.assertEquals;
                import org.junit.jupiter.api.Test;
                class SumTest {
                    @Test void addsTwo() { assertEquals(5, new Sum().of(2, 3)); }
                    @Test void addsNothing() { assertEquals(2, new Sum().of(2, 0)); }
                    @Test void isWrong() { assertEquals(6, new Sum().of(2, 3)); }
                    @Test void callsIt() { new Sum().of(2, 3); }
                }
                """);
        Path classes = Files.createDirectories(root.resolve("classes"));
        String found = System.getProperty("java.class.path");
        List<String> sources =
                Stream.of("m/src/main/java/a/Sum.java", "m/src/test/java/a/SumTest.java")
                        .map(it -> root.resolve(it).toString())
                        .toList();
        List<String> arguments = List.of("-proc:none", "-d", classes.toString(), "-cp", found);
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        Stream.of(arguments, sources).flatMap(List::stream).toArray(String[]::new));
        write("target/mutants/class-path/m", classes + File.pathSeparator + found);
    }

    @Test
    void onlyAMutantThatItsTestNoticesIsCaught() throws InterruptedException {
        var kept = new KeptMutants(root, new Workshop(root, root.resolve("target/mutants")));

        var verdicts =
                kept.run(
                        List.of(
                                mutant("caught", "SumTest#addsTwo", "a + b", "a - b"),
                                mutant("survivor", "SumTest#addsNothing", "a + b", "a - b"),
                                mutant("red", "SumTest#isWrong", "a + b", "a - b"),
                                mutant("rotten", "SumTest#addsTwo", "a * b", "a - b"),
                                mutant("unreadable", "SumTest#addsTwo", "a + b", "a + c"),
                                mutant("unlinked", "SumTest#callsIt", "int of(", "long of(")));

        assertThat(verdicts)
                .extracting(it -> it.mutant().name() + ": " + it.text())
                .satisfiesExactlyInAnyOrder(
                        it ->
                                assertThat(it)
                                        .startsWith("caught: SumTest#addsTwo: addsTwo(): ")
                                        .contains("<5>"),
                        it -> assertThat(it).isEqualTo("survivor: survives SumTest#addsNothing"),
                        it -> assertThat(it).startsWith("red: SumTest#isWrong fails without it"),
                        it -> assertThat(it).startsWith("rotten: the text to be replaced is in"),
                        it -> assertThat(it).contains("unreadable: ", "does not compile"),
                        it -> assertThat(it).contains("unlinked: ", "could not run"));
        assertThat(verdicts)
                .filteredOn(KeptMutants.Verdict::caught)
                .extracting(it -> it.mutant().name())
                .containsExactly("caught");
    }

    private static Mutant mutant(String name, String test, String was, String becomes) {
        return Mutant.parse(
                name,
                "why: It counts wrongly.\nsource: m/src/main/java/a/Sum.java\ntest: %s\n---\n%s\n+++\n%s\n"
                        .formatted(test, was, becomes));
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
