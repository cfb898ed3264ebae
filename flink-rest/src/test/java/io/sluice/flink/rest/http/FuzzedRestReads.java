// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** A process of its own, with an image's heap: reads fuzzed answers by {@link JobManagerRest}. */
final class FuzzedRestReads {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    private static final List<BiFunction<JobManagerRest, URI, Reply<?>>> CALLS =
            List.of(
                    JobManagerRest::jobs,
                    (rest, at) -> rest.job(at, JOB),
                    (rest, at) -> rest.exceptions(at, JOB),
                    (rest, at) -> rest.checkpoints(at, JOB),
                    JobManagerRest::config,
                    JobManagerRest::taskManagers,
                    (rest, at) -> rest.savepoint(at, JOB, "01"),
                    (rest, at) -> rest.resourceRequirements(at, JOB),
                    (rest, at) -> rest.result(at, JOB),
                    (rest, at) -> rest.metrics(at, JOB, List.of("uptime")),
                    (rest, at) -> rest.plan(at, JOB),
                    (rest, at) -> rest.subtaskMetricNames(at, JOB, "01"),
                    (rest, at) -> rest.subtaskMetrics(at, JOB, "01", List.of("uptime")),
                    (rest, at) -> rest.cancel(at, JOB),
                    (rest, at) -> rest.disposeSavepoint(at, "file:/x"),
                    (rest, at) -> rest.jobConfiguration(at, JOB));

    private FuzzedRestReads() {}

    /**
     * @param arguments the first seed, and how many
     */
    public static void main(String[] arguments) throws Exception {
        var rest = new HttpJobManagerRest(UsualLimits.HTTP.withRequest(Duration.ofSeconds(2)));
        boolean good =
                FuzzedReads.run(
                        Long.parseLong(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        (at, seed) -> read(rest, at, seed),
                        (at, _) -> mustBe(new Reply.Ok<>(List.of()), rest.jobs(at)));
        rest.close();
        System.exit(good ? 0 : 1);
    }

    /** The text of a reply is made as well: it reaches conditions and logs. */
    private static void read(JobManagerRest rest, URI at, long seed) {
        Reply<?> reply = CALLS.get((int) (seed % CALLS.size())).apply(rest, at);
        String text = Optional.of(reply).toString();
        if (text.contains("io.sluice.flink.rest.http.")) {
            throw new IllegalStateException("tells of its own insides: " + text);
        }
    }

    private static void mustBe(Reply<?> wanted, Reply<?> found) {
        if (!wanted.equals(found)) {
            throw new IllegalStateException("an ordinary JobManager was not understood: " + found);
        }
    }
}
