// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.HostileJobManager;
import io.sluice.flink.rest.http.HostileJobManager.Attack;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;

/**
 * A process of its own, with an image's heap: asks hostile JobManagers, all at once and in both
 * ways, and an ordinary one all the while. Prints how often the ordinary one answered.
 */
final class HostileReads {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    private static final int ROUNDS = 3;
    private static final int EACH = 4;

    private HostileReads() {}

    public static void main(String[] arguments) throws Exception {
        var rest =
                new HttpJobManagerRest(JobManagerLimits.DEFAULT.withRequest(Duration.ofSeconds(5)));
        String job = "{\"jid\":\"" + JOB + "\",\"state\":\"RUNNING\",\"vertices\":[]}";
        int answers = 0;
        try (var engine = new EngineClient(rest, Duration.ofSeconds(5), _ -> {});
                var ordinary = new HostileJobManager(HostileJobManager.body(job));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Attack attack : attacks()) {
                try (var hostile = new HostileJobManager(attack)) {
                    List<Future<?>> reads = new ArrayList<>();
                    for (int i = 0; i < EACH; i++) {
                        reads.add(threads.submit(() -> byRest(rest, hostile.at())));
                        reads.add(threads.submit(byEngine(engine, hostile.at())));
                    }
                    for (int round = 0; round < ROUNDS; round++) {
                        answers += rest.job(ordinary.at(), JOB) instanceof Reply.Ok<?> ? 1 : 0;
                    }
                    for (Future<?> read : reads) {
                        read.get();
                    }
                }
            }
        }
        System.out.println("answers " + answers + " of " + attacks().size() * ROUNDS);
    }

    private static List<Attack> attacks() {
        return List.of(
                HostileJobManager.list("jobs", "{}", 16),
                HostileJobManager.list("vertices", "{}", 16),
                HostileJobManager.list("vertices", "{\"id\":\"a\",\"name\":\"b\"}", 7),
                HostileJobManager.chunked("{\"jobs\":", "{\"a\":", "", 16),
                HostileJobManager.chunked("{\"jobs\":", "[", "", 16),
                HostileJobManager.chunked("{\"plan\":\"", "x", "\"}", 16),
                HostileJobManager.chunked("[{}", ",{\"id\":\"" + "x".repeat(900) + "\"}", "]", 7),
                HostileJobManager.list("entries", "{\"stacktrace\":\"\"}", 16),
                HostileJobManager.endlessHeaderLine(),
                HostileJobManager.endlessHeaders(),
                HostileJobManager.endlessContinue(),
                HostileJobManager.truncatedGzip(),
                HostileJobManager.drops());
    }

    private static void byRest(JobManagerRest rest, URI at) {
        mustNotBeRead(rest.jobs(at));
        mustNotBeRead(rest.job(at, JOB));
        mustNotBeRead(rest.exceptions(at, JOB));
    }

    /** Except a list of exceptions that is merely empty of what is known. */
    private static void mustNotBeRead(Reply<?> reply) {
        if (reply instanceof Reply.JobUnknown<?>) {
            throw new IllegalStateException("taken for gone: " + reply);
        }
    }

    private static Callable<Void> byEngine(EngineClient engine, URI at) {
        return () -> {
            try {
                engine.callAt(at, jobs -> jobs.getJobDetails(JobID.fromHexString(JOB)).get());
            } catch (ExecutionException refused) {
                return null;
            }
            throw new IllegalStateException("a hostile answer was understood");
        };
    }
}
