// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hunt in a process that has the agent, in a module of its own. */
class ReachedLinesTest {
    @TempDir private Path root;
    private SmallRepository repository;

    /** Odd seeds ask for a sum, even ones for a product. */
    @BeforeEach
    void writeAModule() throws IOException {
        repository = new SmallRepository(root);
        repository.compile(
                """
                package io.sluice.operator.deployment;
                public class Sum {
                    private static final int ONE = Integer.parseInt("1");
                    public static int of(int a, int b) {
                        return a + b;
                    }
                    public static int product(int a, int b) {
                        return a * b * ONE;
                    }
                }
                """,
                """
                import org.junit.jupiter.api.Test;
                import io.sluice.operator.deployment.Sum;
                import java.nio.file.*;
                class SIMULATOR {
                    private static int copies;
                    @Test void keepsItsPromisesWhileSpecsAreRolledBack() throws Exception {
                        keepsItsPromisesWhateverHappens();
                    }

                    @Test void keepsItsPromisesWhateverHappens() throws Exception {
                        copies++;
                        for (String each : System.getProperty("sim.only").split(",")) {
                            long seed = Long.parseLong(each);
                            int got = seed % 2 == 1 ? Sum.of(3, 2) : Sum.product(3, 2);
                            boolean fails = got == 1;
                            Files.writeString(
                                    Path.of(System.getProperty("sim.told")),
                                    seed + " " + got + " " + (fails ? "lost" : "") + "\\n",
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.APPEND);
                            Files.writeString(
                                    Path.of(System.getProperty("told")),
                                    copies + " " + seed + "\\n",
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.APPEND);
                            if (fails) {
                                throw new AssertionError("lost");
                            }
                        }
                    }
                }
                """,
                "-g");
        repository.write(
                "manifest",
                """
                Premain-Class: io.sluice.testkit.mutants.ReplacedClasses
                Can-Redefine-Classes: true
                """);
    }

    @Test
    void runsOnlySeedsThatReachTheFaultInTheClassesThatAreLoaded() throws Exception {
        keep("wrong", "return a + b;", "return a - b;");

        hunt();

        assertThat(repository.sight("wrong")).contains("simulator: DeploymentWorldSimTest 1");
        assertThat(runs()).hasSize(11).last().isEqualTo("1 1");
    }

    @Test
    void puttingThemBackLeavesTheNextOneAlone() throws Exception {
        keep("a-wrong", "return a + b;", "return a - b;");
        keep("b-same", "return a + b;", "return b + a;");

        hunt();

        assertThat(repository.sight("b-same"))
                .contains(
                        "missed: No run of 30 seeds (DeploymentWorldSimTest, HabitsSimTest,"
                                + " HabitsSimTest#keepsItsPromisesWhileSpecsAreRolledBack) is any"
                                + " different with it; 15 reach it.");
    }

    @Test
    void hasACopyOfAllClassesWhereTheyCanNotBeReplaced() throws Exception {
        keep(
                "wrong",
                "return a + b;",
                "return minus(a, b); } static int minus(int a, int b) { return a - b;");

        hunt();

        assertThat(repository.sight("wrong")).contains("simulator: DeploymentWorldSimTest 1");
    }

    @Test
    void runsAllSeedsWhereTheFaultIsInWhatIsComputedOnce() throws Exception {
        keep("wrong", "parseInt(\"1\")", "parseInt(\"2\")");

        hunt();

        assertThat(repository.sight("wrong"))
                .contains(
                        "missed: Runs differ at 15 of 30 seeds (DeploymentWorldSimTest, HabitsSimTest,"
                                + " HabitsSimTest#keepsItsPromisesWhileSpecsAreRolledBack), as"
                                + " DeploymentWorldSimTest 0, and break no promise.");
    }

    private void hunt() throws IOException, InterruptedException {
        String home = System.getProperty("java.home");
        run(
                Path.of(home, "bin", "jar").toString(),
                "--create",
                "--file",
                root.resolve("agent.jar").toString(),
                "--manifest",
                root.resolve("manifest").toString());
        run(
                Path.of(home, "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-javaagent:" + root.resolve("agent.jar"),
                "-Dmutants.seeds=10",
                "-Dtold=" + root.resolve("told"),
                "-cp",
                System.getProperty("java.class.path"),
                KeptMutants.class.getName(),
                root.toString(),
                "--simulator",
                "--hunt");
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(root.resolve("log").toFile())
                        .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    }

    private List<String> runs() throws IOException {
        return Files.readAllLines(root.resolve("told"));
    }

    private void keep(String name, String was, String becomes) throws IOException {
        repository.keep(name, "missed: Nobody has looked for a seed yet.", was, becomes);
    }
}
