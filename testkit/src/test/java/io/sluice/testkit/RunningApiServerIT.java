// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts real processes; what becomes of them is asked of the operating system. */
@Timeout(110)
class RunningApiServerIT {
    @TempDir Path folder;

    private final Path real = Path.of(RunningApiServer.toolFolder());
    private Set<String> before = Set.of();

    @BeforeEach
    void rememberWhatRuns() {
        before = ApiServerProcesses.pids().collect(Collectors.toSet());
    }

    @Test
    void aKubeApiserverWhosePortWasTakenIsStartedAgainAndLeavesNoEtcdBehind() throws IOException {
        try (var taken = new ServerSocket(0)) {
            Path tools = toolsWhoseFirstStartHas("--secure-port " + taken.getLocalPort());

            try (RunningApiServer running = RunningApiServer.start(tools.toString())) {
                assertThat(tools.resolve("started")).exists();
                assertThat(running.client().namespaces().withName("default").get()).isNotNull();
                assertThat(started()).as("one kube-apiserver and one etcd").hasSize(2);
            }
        }
        assertThat(started()).isEmpty();
    }

    @Test
    void aServerThatAnswersInOursPlaceIsNotTakenForOurs() throws IOException {
        Path tools = toolsWhoseFirstStartHas("--external-hostname somebody-else");

        try (RunningApiServer running = RunningApiServer.start(tools.toString())) {
            assertThat(tools.resolve("started")).exists();
            assertThat(running.client().raw("/api")).doesNotContain("somebody-else");
            assertThat(started()).hasSize(2);
        }
    }

    @Test
    void oneThatNeverStartsSaysSoAndLeavesNothingBehind() throws IOException {
        Path tools = toolsWith("exit 7");

        assertThatThrownBy(() -> RunningApiServer.start(tools.toString()))
                .hasMessageContaining("in 4 attempts")
                .hasMessageContaining("ended with code 7");
        assertThat(started()).isEmpty();
    }

    @Test
    void anEtcdThatEndsWithoutTheFolderOfItsLogDoesNotHideWhyTheServerDidNotStart()
            throws IOException {
        Path tools = toolsWith("sleep 60");
        Path etcd = binaries(tools).resolve("etcd");
        Files.delete(etcd);
        writeScript(
                etcd,
                """
                while [ "$1" != -wal-dir ] && [ "$1" != --wal-dir ]; do shift; done
                rmdir "$2"; exit 7
                """);

        assertThatThrownBy(() -> RunningApiServer.start(tools.toString()))
                .hasMessageContaining("in 4 attempts")
                .hasMessageContaining("ended with code 7");
        assertThat(started()).isEmpty();
    }

    @Test
    void bothEndWithATestRunThatIsKilled() throws IOException {
        Path written = folder.resolve("pids");
        Process run =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledTestRun.class.getName(),
                                written.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> !pids(written).isEmpty());
            List<String> pids = pids(written);
            assertThat(pids).hasSize(2).allMatch(RunningApiServerIT::lives);

            run.destroyForcibly();

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(pids).noneMatch(RunningApiServerIT::lives));
        } finally {
            run.destroyForcibly();
        }
    }

    /** None before all of them are written, and the dot behind them. */
    private static List<String> pids(Path written) throws IOException {
        String text = Files.exists(written) ? Files.readString(written) : "";
        return text.endsWith(" .") ? List.of(text.replace(" .", "").split(" ")) : List.of();
    }

    private static boolean lives(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isPresent();
    }

    private Set<String> started() {
        return ApiServerProcesses.pids()
                .filter(pid -> !before.contains(pid))
                .collect(Collectors.toSet());
    }

    private Path toolsWhoseFirstStartHas(String flags) throws IOException {
        return toolsWith(
                "[ -e started ] && exec %1$s \"$@\"; touch started; exec %1$s \"$@\" %2$s"
                        .formatted(binaries().resolve("kube-apiserver"), flags));
    }

    /** The real tools, but for kube-apiserver, which is a shell script. */
    private Path toolsWith(String kubeApiserver) throws IOException {
        Path copies =
                Files.createDirectories(
                        folder.resolve("k8s").resolve(binaries().getFileName().toString()));
        for (String tool : List.of("etcd", "kubectl")) {
            Files.createSymbolicLink(copies.resolve(tool), binaries().resolve(tool));
        }
        writeScript(copies.resolve("kube-apiserver"), "cd '" + folder + "'\n" + kubeApiserver);
        return folder;
    }

    private static void writeScript(Path script, String commands) throws IOException {
        Files.writeString(script, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private Path binaries() {
        return binaries(real);
    }

    private static Path binaries(Path tools) {
        try (Stream<Path> versions = Files.list(tools.resolve("k8s"))) {
            return versions.max(Path::compareTo).orElseThrow();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
