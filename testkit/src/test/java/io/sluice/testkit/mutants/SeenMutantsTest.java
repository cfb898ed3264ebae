// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has a simulator of two lines look for mutants in a module of its own. */
class SeenMutantsTest {
    private static final String SOURCE =
            "operator/src/main/java/io/sluice/operator/deployment/Sum.java";
    private static final List<String> SIMULATORS =
            List.of("DeploymentWorldSimTest", "HabitsSimTest");

    @TempDir private Path root;

    /** Seed 2 fails without a mutant; a wrong sum of ones shows at each odd seed from 5 on. */
    @BeforeEach
    void writeAModule() throws IOException {
        write(
                SOURCE,
                "package io.sluice.operator.deployment;"
                        + " public class Sum { public static int of(int a, int b) { return a + b; } }");
        for (String simulator : SIMULATORS) {
            write(
                    file(simulator),
                    """
                    import org.junit.jupiter.api.Test;
                    import io.sluice.operator.deployment.Sum;
                    import java.nio.file.*;
                    class SIMULATOR {
                        @Test void keepsItsPromisesWhateverHappens() throws Exception {
                            for (String each : System.getProperty("sim.only").split(",")) {
                                long seed = Long.parseLong(each);
                                boolean isWrong = seed >= 5 && seed % 2 == 1 && Sum.of(1, 1) != 2;
                                boolean fails = seed == 2 || isWrong;
                                Files.writeString(
                                        Path.of(System.getProperty("sim.told")),
                                        seed + " " + Sum.of(1, 2) + " " + (fails ? "lost" : "") + "\\n",
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.APPEND);
                                if (fails) {
                                    throw new AssertionError("lost");
                                }
                            }
                        }
                    }
                    """
                            .replace("SIMULATOR", simulator));
        }
        Path classes = Files.createDirectories(root.resolve("classes"));
        String found = System.getProperty("java.class.path");
        List<String> arguments = List.of("-proc:none", "-d", classes.toString(), "-cp", found);
        ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        Stream.concat(
                                        arguments.stream(),
                                        Stream.of(
                                                        SOURCE,
                                                        file(SIMULATORS.get(0)),
                                                        file(SIMULATORS.get(1)))
                                                .map(it -> root.resolve(it).toString()))
                                .toArray(String[]::new));
        write("target/mutants/class-path/operator", classes + File.pathSeparator + found);
        write("mutants/unseen", "# none\n");
    }

    @Test
    void looksForASeedThatFailsWithTheMutantOnly() throws IOException, InterruptedException {
        keep("wrong", "missed: No sum.", "a + b", "a - b");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isTrue();

        assertThat(sight("wrong")).contains("simulator: DeploymentWorldSimTest 5");
    }

    @Test
    void saysThatNoRunIsAnyDifferent() throws IOException, InterruptedException {
        keep("same", "missed: Nobody has looked for a seed yet.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isFalse();

        assertThat(sight("same"))
                .hasValueSatisfying(it -> assertThat(it).startsWith("missed: No run of 40 seeds"));
    }

    @Test
    void saysThatRunsDifferAndNothingIsFound() throws IOException, InterruptedException {
        keep("uneven", "missed: No run of 2 seeds (X) differs.", "a + b", "a == b ? 2 : 0");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt", "uneven"))).isFalse();

        assertThat(sight("uneven"))
                .hasValueSatisfying(
                        it ->
                                assertThat(it)
                                        .startsWith("missed: Runs differ at 38 of 40 seeds")
                                        .contains("as DeploymentWorldSimTest 0,"));
    }

    @Test
    void leavesWhatSomebodyHasArguedAsItIs() throws IOException, InterruptedException {
        keep("same", "missed: No sum.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isFalse();

        assertThat(sight("same")).contains("missed: No sum.");
    }

    @Test
    void runsOnlyTheSeedOfOneThatIsCaught() throws IOException, InterruptedException {
        keep("wrong", "simulator: DeploymentWorldSimTest 7", "a + b", "a - b");
        keep("missed", "missed: No sum.", "a + b", "b + a");
        keep("unseen", "unseen: No sum.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator"))).isTrue();
    }

    @Test
    void countsNoSeedThatFailsWithoutTheMutant() throws IOException, InterruptedException {
        keep("wrong", "simulator: DeploymentWorldSimTest 2", "a + b", "a - b");

        assertThat(SeenMutants.run(root, List.of("--simulator"))).isFalse();
    }

    private Optional<String> sight(String name) {
        return Mutant.all(root).stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .flatMap(Mutant::sight)
                .map(Sight::line);
    }

    private void keep(String name, String sight, String was, String becomes) throws IOException {
        write(
                "mutants/" + name + ".mutant",
                "why: It counts wrongly.\nsource: %s\ntest: DeploymentWorldSimTest\n%s\n---\n%s\n+++\n%s\n"
                        .formatted(SOURCE, sight, was, becomes));
    }

    private static String file(String simulator) {
        return "operator/src/test/java/" + simulator + ".java";
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
