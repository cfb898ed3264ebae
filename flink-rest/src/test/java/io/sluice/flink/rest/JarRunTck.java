// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.flink.rest.request.RunRequest;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every {@link JobManagerRest} does with jars. */
public abstract class JarRunTck {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    protected abstract JobManagerRest rest();

    /** A JobManager that takes jars. */
    protected abstract URI at();

    /** A jar whose {@code main()} submits one job that does not end. */
    protected abstract Path jar();

    /** A job id that was not used before. */
    protected abstract String freshJobId();

    @Test
    void runsAnUploadedJarUnderTheIdItIsGiven() {
        String jobId = freshJobId();

        assertThat(rest().runJar(at(), upload(), run(jobId)))
                .isEqualTo(new Reply.Ok<>(Submission.SUBMITTED));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(isListed(jobId)).isTrue());
    }

    @Test
    void runsTheSameIdNoSecondTime() {
        String jobId = freshJobId();
        String jarId = upload();
        rest().runJar(at(), jarId, run(jobId));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(isListed(jobId)).isTrue());

        assertThat(rest().runJar(at(), jarId, run(jobId)))
                .isEqualTo(new Reply.Ok<>(Submission.KNOWN_ALREADY));
    }

    @Test
    void saysThatAJarIsNotThere() {
        assertThat(rest().runJar(at(), "no_such.jar", run(freshJobId())))
                .isEqualTo(new Reply.Ok<>(Submission.NO_SUCH_JAR));
    }

    @Test
    void deletesAJarOnce() {
        String jarId = upload();

        assertThat(rest().deleteJar(at(), jarId)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        assertThat(rest().deleteJar(at(), jarId)).isInstanceOf(Reply.Refused.class);
        assertThat(rest().runJar(at(), jarId, run(freshJobId())))
                .isEqualTo(new Reply.Ok<>(Submission.NO_SUCH_JAR));
    }

    /** Again where nobody answered: a kept connection may have been closed a moment ago. */
    private String upload() {
        return await().atMost(PATIENCE)
                .until(
                        () -> rest().uploadJar(at(), new JarUpload(jar(), "ticks.jar", PATIENCE)),
                        reply -> !(reply instanceof Reply.Unreachable<String>))
                .answer()
                .orElseThrow();
    }

    private boolean isListed(String jobId) {
        return rest().jobs(at()).answer().orElseThrow().stream()
                .anyMatch(job -> job.id().equals(jobId) && job.state().equals("RUNNING"));
    }

    private static RunRequest run(String jobId) {
        return new RunRequest(
                jobId,
                Optional.empty(),
                List.of("--rate", "100"),
                Optional.of(1),
                Optional.empty(),
                false,
                Map.of("pipeline.max-parallelism", "4"),
                PATIENCE);
    }
}
