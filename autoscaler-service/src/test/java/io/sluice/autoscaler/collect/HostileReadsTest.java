// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.http.AnswerTooLarge;
import io.sluice.flink.rest.http.HostileJobManager;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileReadsTest {
    @TempDir private Path folder;

    /** The autoscaler's flags, in images/flags.sh and images/build. */
    @Test
    void hostileAnswersEndNoProcessWithTheImagesHeapAndOthersAreReadMeanwhile() throws Exception {
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
                                HostileReads.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(output)).contains("answers 39 of 39");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void theEngineIsNotGivenWhatExceedsALimitAndItIsCounted() throws Exception {
        List<AnswerLimit> told = new ArrayList<>();
        var rest = new HttpJobManagerRest(JobManagerLimits.DEFAULT);
        try (var client = new EngineClient(rest, Duration.ofSeconds(5), told::add);
                var hostile = new HostileJobManager(HostileJobManager.list("vertices", "{}", 6))) {
            assertThatThrownBy(
                            () ->
                                    client.callAt(
                                            hostile.at(),
                                            jobs -> jobs.getJobDetails(new JobID()).get()))
                    .hasRootCauseInstanceOf(AnswerTooLarge.class)
                    .hasMessageContaining("max-tokens");
        }
        assertThat(told).containsExactly(AnswerLimit.TOKENS);
    }
}
