// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that no JobManager gives end no process, hold no thread and take no more than an image's
 * heap. The seed of an answer that is not read as it should be is printed; {@code -Dfuzz.answers}
 * says how many there are, {@code -Dfuzz.seed} which is the first.
 */
class AnswersFuzzTest {
    private static final int ANSWERS = Integer.getInteger("fuzz.answers", 1_500);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final int MINUTES = 2 + ANSWERS / 1_000;

    @TempDir private Path folder;

    @Test
    void noAnswerOfAJobManagerIsAFault() throws Exception {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx160m",
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-XX:TieredStopAtLevel=1",
                                "-Djdk.http.maxHeaderSize=65536",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FuzzedRestReads.class.getName(),
                                Long.toString(SEED),
                                Integer.toString(ANSWERS))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(output))
                .contains("fuzzed %d from seed %d: 0 faults".formatted(ANSWERS, SEED));
        assertThat(process.exitValue()).isZero();
    }
}
