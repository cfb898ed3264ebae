// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.HostileJobManager.Attack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JobManager may do to the one that asks it. */
class HostileAnswersTest {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    private static final Duration TIME = Duration.ofSeconds(5);

    private final HttpJobManagerRest rest =
            new HttpJobManagerRest(UsualLimits.HTTP.withRequest(TIME));

    @TempDir private Path folder;

    @AfterEach
    void close() {
        rest.close();
    }

    @Test
    void moreEmptyJobsThanAreReadAreTooMany() throws IOException {
        assertThat(limitOf(HostileJobManager.list("jobs", "{}", 16), JobManagerRest::jobs))
                .isEqualTo(AnswerLimit.JOBS);
    }

    @Test
    void aHundredThousandVerticesAreTooMany() throws IOException {
        var vertices = "{\"id\":\"a\",\"name\":\"b\"},".repeat(100_000);
        Attack attack =
                HostileJobManager.body(
                        "{\"jid\":\"a\",\"state\":\"RUNNING\",\"vertices\":[" + vertices + "{}]}");

        assertThat(limitOf(attack, (it, at) -> it.job(at, JOB))).isEqualTo(AnswerLimit.VERTICES);
    }

    @Test
    void whatIsSkippedHasItsTokensCounted() throws IOException {
        assertThat(limitOf(HostileJobManager.list("other", "{}", 16), JobManagerRest::jobs))
                .isEqualTo(AnswerLimit.TOKENS);
    }

    @Test
    void aLongTextThatNobodyReadsIsBoundedByBytes() throws IOException {
        Attack attack = HostileJobManager.chunked("{\"other\":\"", "x", "\"}", 16);

        assertThat(limitOf(attack, JobManagerRest::jobs)).isEqualTo(AnswerLimit.LIST_SIZE);
        assertThat(limitOf(attack, JobManagerRest::config)).isEqualTo(AnswerLimit.SIZE);
    }

    @Test
    void aTextThatIsReadIsBounded() throws IOException {
        Attack attack = HostileJobManager.chunked("{\"jobs\":[{\"jid\":\"", "x", "\"}]}", 2);

        assertThat(limitOf(attack, JobManagerRest::jobs)).isEqualTo(AnswerLimit.STRUCTURE);
    }

    @Test
    void nestingIsBounded() throws IOException {
        assertThat(
                        limitOf(
                                HostileJobManager.chunked("{\"jobs\":", "[", "", 1),
                                JobManagerRest::jobs))
                .isEqualTo(AnswerLimit.STRUCTURE);
        assertThat(
                        limitOf(
                                HostileJobManager.chunked("{\"plan\":", "{\"a\":", "", 1),
                                (it, at) -> it.job(at, JOB)))
                .isEqualTo(AnswerLimit.STRUCTURE);
    }

    @Test
    void endlessEntriesOfEachKindAreTooMany() throws IOException {
        assertThat(
                        limitOf(
                                HostileJobManager.list("taskmanagers", "{}", 1),
                                JobManagerRest::taskManagers))
                .isEqualTo(AnswerLimit.TASK_MANAGERS);
        assertThat(
                        limitOf(
                                HostileJobManager.list("history", "{}", 1),
                                (it, at) -> it.checkpoints(at, JOB)))
                .isEqualTo(AnswerLimit.CHECKPOINTS);
        Attack entries = HostileJobManager.chunked("[{}", ",{}", "]", 1);
        assertThat(limitOf(entries, (it, at) -> it.jobConfiguration(at, JOB)))
                .isEqualTo(AnswerLimit.ENTRIES);
        assertThat(limitOf(entries, (it, at) -> it.metrics(at, JOB, List.of("uptime"))))
                .isEqualTo(AnswerLimit.ENTRIES);
    }

    @Test
    void onlyTheNewestExceptionsAreKeptAndTheirTracesCut() throws IOException {
        String entry =
                "{\"exceptionName\":\"E\",\"timestamp\":7,\"stacktrace\":\""
                        + "x".repeat(50_000)
                        + "\"}";
        Attack attack =
                HostileJobManager.body(
                        "{\"exceptionHistory\":{\"entries\":["
                                + (entry + ",").repeat(120)
                                + entry
                                + "]}}");

        try (var jobManager = new HostileJobManager(attack)) {
            assertThat(rest.exceptions(jobManager.at(), JOB).answer().orElseThrow())
                    .hasSize(100)
                    .allSatisfy(
                            each ->
                                    assertThat(each.stackTrace())
                                            .hasSize(UsualLimits.ANSWERS.traceLength() + 1));
        }
    }

    @Test
    void endlessExceptionsAreTooMany() throws IOException {
        Attack attack =
                HostileJobManager.chunked(
                        "{\"exceptionHistory\":{\"entries\":[{}",
                        ",{\"stacktrace\":\"" + "x".repeat(10_000) + "\"}",
                        "]}}",
                        16);

        assertThat(limitOf(attack, (it, at) -> it.exceptions(at, JOB)))
                .isEqualTo(AnswerLimit.LIST_SIZE);
    }

    @Test
    void headersAreBounded() throws IOException {
        assertThat(limitOf(HostileJobManager.endlessHeaderLine(), JobManagerRest::jobs))
                .isEqualTo(AnswerLimit.HEADERS);
        assertThat(limitOf(HostileJobManager.endlessHeaders(), JobManagerRest::jobs))
                .isEqualTo(AnswerLimit.HEADERS);
    }

    @Test
    void endlessInformationIsNoAnswer() throws IOException {
        try (var jobManager = new HostileJobManager(HostileJobManager.endlessContinue())) {
            assertThat(rest.jobs(jobManager.at())).isInstanceOf(Reply.Unreachable.class);
        }
    }

    @Test
    void aFaultIsBoundedToo() throws IOException {
        Attack attack = HostileJobManager.body(500, new byte[2 * 1024 * 1024]);

        assertThat(limitOf(attack, JobManagerRest::jobs)).isEqualTo(AnswerLimit.SIZE);
        assertThat(limitOf(attack, (it, at) -> it.cancel(at, JOB))).isEqualTo(AnswerLimit.SIZE);
    }

    @Test
    void whatIsAnsweredToWritesIsBounded() throws IOException {
        Path jar = Files.writeString(folder.resolve("a.jar"), "jar");
        Attack attack = HostileJobManager.chunked("{\"filename\":\"", "x", "\"}", 16);

        assertThat(limitOf(attack, (it, at) -> it.disposeSavepoint(at, "file:/x")))
                .isEqualTo(AnswerLimit.SIZE);
        assertThat(limitOf(attack, (it, at) -> it.uploadJar(at, new JarUpload(jar, "a.jar", TIME))))
                .isEqualTo(AnswerLimit.SIZE);
    }

    @Test
    void dropsEndWithTheTimeForTheWholeBody() throws IOException {
        var quick = new HttpJobManagerRest(UsualLimits.HTTP.withRequest(Duration.ofMillis(700)));
        try (quick;
                var jobManager = new HostileJobManager(HostileJobManager.drops())) {
            Instant begin = Instant.now();

            assertThat(quick.jobs(jobManager.at())).isInstanceOf(Reply.Unreachable.class);
            assertThat(quick.cancel(jobManager.at(), JOB)).isInstanceOf(Reply.Unreachable.class);
            assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void anotherEncodingThanWasAskedForIsNoAnswer() throws IOException {
        List<Attack> attacks =
                List.of(
                        HostileJobManager.truncatedGzip(),
                        HostileJobManager.body(
                                200, new byte[] {(byte) 0xff, (byte) 0xc0, (byte) 0x80}),
                        HostileJobManager.body(
                                200,
                                "{\"jobs\":[{\"jid\":\"\u00ff\"}]}"
                                        .getBytes(StandardCharsets.ISO_8859_1)));

        for (Attack attack : attacks) {
            try (var jobManager = new HostileJobManager(attack)) {
                assertThat(rest.jobs(jobManager.at())).isInstanceOf(Reply.Unreachable.class);
            }
        }
    }

    @Test
    void aSavepointThatWasWrittenIsFoundInALongTrace() throws IOException {
        String trace =
                "x".repeat(200_000)
                        + "\\nCaused by: y: A savepoint has been created at: file:/d/sp-1, but the"
                        + " corresponding job aaaa failed during stopping.";
        Attack attack =
                HostileJobManager.body(
                        "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"failure-cause\":{\"stack-trace\":\""
                                + trace
                                + "\"}}}");

        try (var jobManager = new HostileJobManager(attack)) {
            assertThat(rest.savepoint(jobManager.at(), JOB, "01").answer().orElseThrow().toString())
                    .contains("file:/d/sp-1");
        }
    }

    @Test
    void aQuestionWhoseAnswerWasTooLargeIsAskedAgainAfterAPause() throws IOException {
        var now = new AtomicReference<>(Instant.EPOCH);
        var breaker = new CircuitBreaker(rest, BreakerSettings.DEFAULT, now::get);
        try (var jobManager = new HostileJobManager(HostileJobManager.list("jobs", "{}", 1))) {
            URI at = jobManager.at();

            assertThat(breaker.jobs(at)).isInstanceOf(Reply.TooLarge.class);
            assertThat(breaker.jobs(at)).isInstanceOf(Reply.TooLarge.class);
            assertThat(jobManager.requests()).isEqualTo(1);

            jobManager.now(HostileJobManager.body("{\"jobs\":[]}"));
            assertThat(breaker.cancel(at, JOB)).isInstanceOf(Reply.Ok.class);
            assertThat(breaker.jobs(at)).isInstanceOf(Reply.TooLarge.class);
            now.set(now.get().plus(BreakerSettings.DEFAULT.firstPause()));
            assertThat(breaker.jobs(at)).isEqualTo(new Reply.Ok<>(List.of()));
        }
    }

    @Test
    void noClusterTakesTheRoomForAllLargeAnswers() throws Exception {
        var budget = new BodyBudget(100);
        long soon = System.nanoTime() + Duration.ofMillis(200).toNanos();
        long later = System.nanoTime() + TIME.toNanos();

        try (var _ = budget.take("a", 50, later)) {
            assertThat(fits(budget, "a", soon)).isFalse();
            try (var _ = budget.take("b", 50, later)) {
                assertThat(fits(budget, "c", soon)).isFalse();
            }
            assertThat(fits(budget, "c", later)).isTrue();
        }
        assertThat(budget.taken()).isZero();
    }

    @Test
    void aSmallAnswerNeedsNoRoomAmongLargeOnes() throws Exception {
        var budget = new BodyBudget(1);
        var taken = budget.take("other", 1, System.nanoTime());
        var terms =
                new BoundedBody.Terms(
                        "a",
                        1000,
                        AnswerLimit.LIST_SIZE,
                        40_000,
                        1,
                        System.nanoTime() + TIME.toNanos(),
                        budget);

        try (taken;
                var body = new BoundedBody(new ByteArrayInputStream(new byte[1000]), terms)) {
            assertThat(body.readAllBytes()).hasSize(1000);
        }
    }

    private static boolean fits(BodyBudget budget, String cluster, long deadline)
            throws InterruptedException {
        try (var _ = budget.take(cluster, 50, deadline)) {
            return true;
        } catch (AnswerTooLarge none) {
            assertThat(none.limit()).isEqualTo(AnswerLimit.IN_FLIGHT);
            return false;
        }
    }

    private <T> AnswerLimit limitOf(Attack attack, BiFunction<JobManagerRest, URI, Reply<T>> call)
            throws IOException {
        try (var jobManager = new HostileJobManager(attack)) {
            Reply<T> reply = call.apply(rest, jobManager.at());
            if (reply instanceof Reply.TooLarge<T>(var limit, _)) {
                return limit;
            }
            throw new AssertionError("not too large: " + reply);
        }
    }
}
