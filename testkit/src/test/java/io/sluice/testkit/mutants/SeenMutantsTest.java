// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has a simulator of two lines look for mutants in a module of its own. */
class SeenMutantsTest {
    @TempDir private Path root;
    private SmallRepository repository;

    /** Seed 2 fails without a mutant; a wrong sum of ones shows at each odd seed from 5 on. */
    @BeforeEach
    void writeAModule() throws IOException {
        repository = new SmallRepository(root);
        repository.compile(
                "package io.sluice.operator.deployment;"
                        + " public class Sum { public static int of(int a, int b) { return a + b; } }",
                """
                import org.junit.jupiter.api.Test;
                import io.sluice.operator.deployment.Sum;
                import java.nio.file.*;
                class SIMULATOR {
                    @Test void keepsItsPromisesWhileSpecsAreRolledBack() throws Exception {
                        keepsItsPromisesWhateverHappens();
                    }

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
                """);
    }

    @Test
    void looksForASeedThatFailsWithTheMutantOnly() throws IOException, InterruptedException {
        repository.keep("wrong", "missed: No sum.", "a + b", "a - b");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isTrue();

        assertThat(repository.sight("wrong")).contains("simulator: DeploymentWorldSimTest 5");
    }

    @Test
    void saysThatNoRunIsAnyDifferent() throws IOException, InterruptedException {
        repository.keep("same", "missed: Nobody has looked for a seed yet.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isFalse();

        assertThat(repository.sight("same"))
                .hasValueSatisfying(it -> assertThat(it).startsWith("missed: No run of 60 seeds"));
    }

    @Test
    void saysThatRunsDifferAndNothingIsFound() throws IOException, InterruptedException {
        repository.keep(
                "uneven", "missed: No run of 2 seeds (X) differs.", "a + b", "a == b ? 2 : 0");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt", "uneven"))).isFalse();

        assertThat(repository.sight("uneven"))
                .hasValueSatisfying(
                        it ->
                                assertThat(it)
                                        .startsWith("missed: Runs differ at 57 of 60 seeds")
                                        .contains("as DeploymentWorldSimTest 0,"));
    }

    @Test
    void leavesWhatSomebodyHasArguedAsItIs() throws IOException, InterruptedException {
        repository.keep("same", "missed: No sum.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator", "--hunt"))).isFalse();

        assertThat(repository.sight("same")).contains("missed: No sum.");
    }

    @Test
    void runsOnlyTheSeedOfOneThatIsCaught() throws IOException, InterruptedException {
        repository.keep("wrong", "simulator: DeploymentWorldSimTest 7", "a + b", "a - b");
        repository.keep("missed", "missed: No sum.", "a + b", "b + a");
        repository.keep("unseen", "unseen: No sum.", "a + b", "b + a");

        assertThat(SeenMutants.run(root, List.of("--simulator"))).isTrue();
    }

    @Test
    void countsNoSeedThatFailsWithoutTheMutant() throws IOException, InterruptedException {
        repository.keep("wrong", "simulator: DeploymentWorldSimTest 2", "a + b", "a - b");

        assertThat(SeenMutants.run(root, List.of("--simulator"))).isFalse();
    }
}
