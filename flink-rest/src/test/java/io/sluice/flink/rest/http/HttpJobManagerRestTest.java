// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Flink says in situations that a MiniCluster can't be brought into. */
class HttpJobManagerRestTest {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private final HttpJobManagerRest rest =
            new HttpJobManagerRest(
                    new HttpLimits(
                            Duration.ofSeconds(1), Duration.ofMillis(500), UsualLimits.ANSWERS));
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        rest.close();
    }

    @Test
    void aMetricThatIsNoNumberSaysNothing() {
        answers(
                "/jobs/" + JOB + "/metrics",
                200,
                """
                [{"id":"numRestarts","value":"3"},{"id":"uptime","value":"n/a"},{"id":"load","value":"0.5"}]\
                """);

        assertThat(
                        rest.metrics(at(), JOB, List.of("numRestarts", "uptime", "load"))
                                .answer()
                                .orElseThrow())
                .containsOnly(Map.entry("numRestarts", 3.0), Map.entry("load", 0.5));
    }

    @Test
    void readsThePlanOfAJobAndWhatItsSubtasksMeasure() {
        answers(
                "/jobs/" + JOB + "/plan",
                200,
                """
                {"plan":{"jid":"a","nodes":[{"inputs":[{"num":0,"id":"01"}],"id":"02"},{"id":"01","optimizer_properties":{}},{"id":7}]}}\
                """);
        answers(
                "/jobs/" + JOB + "/vertices/01/subtasks/metrics",
                200,
                """
                [{"id":"Source__in.pendingRecords","min":1.0,"max":2.0,"avg":1.5,"sum":3.0},\
                {"id":"text","min":"1","max":"2","sum":"3"},{"id":"none","min":"NaN","max":1,"sum":1},\
                {"id":"huge","min":1e999,"max":1e999,"sum":1e999},{"id":"other","min":1,"max":1,"sum":1},{"id":8}]\
                """);

        assertThat(rest.plan(at(), JOB))
                .isEqualTo(
                        new Reply.Ok<>(
                                List.of(new PlanNode("02", false), new PlanNode("01", true))));
        assertThat(rest.subtaskMetricNames(at(), JOB, "01"))
                .isEqualTo(
                        new Reply.Ok<>(
                                List.of(
                                        "Source__in.pendingRecords",
                                        "text",
                                        "none",
                                        "huge",
                                        "other")));
        assertThat(
                        rest.subtaskMetrics(
                                at(),
                                JOB,
                                "01",
                                List.of("Source__in.pendingRecords", "text", "none", "huge")))
                .isEqualTo(
                        new Reply.Ok<>(
                                Map.of("Source__in.pendingRecords", new MetricSummary(1, 2, 3))));
    }

    @Test
    void anElectionIsNoAnswer() {
        answers(
                "/jobs/overview",
                503,
                """
                {"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}\
                """);

        assertThat(rest.jobs(at())).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void aSavepointThatWasWrittenBeforeTheJobFailedToStopIsTold() {
        answers(
                "/jobs/" + JOB + "/savepoints/01",
                200,
                """
                {"status":{"id":"COMPLETED"},"operation":{"failure-cause":{"class":"java.util.concurrent.CompletionException",
                "stack-trace":"java.util.concurrent.CompletionException: x\\nCaused by: org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException: A savepoint has been created at: file:/d/savepoint-aaaaaa-1, but the corresponding job aaaa failed during stopping.\\n\\tat a.b"}}}\
                """);

        assertThat(rest.savepoint(at(), JOB, "01").answer())
                .hasValueSatisfying(
                        status ->
                                assertThat(status)
                                        .isInstanceOfSatisfying(
                                                SavepointStatus.Failed.class,
                                                failed ->
                                                        assertThat(failed.location())
                                                                .contains(
                                                                        "file:/d/savepoint-aaaaaa-1")));
    }

    @Test
    void aJobWithoutCheckpointingHasNone() {
        answers(
                "/jobs/" + JOB + "/checkpoints",
                404,
                """
                {"errors":["Checkpointing has not been enabled."]}\
                """);

        assertThat(rest.checkpoints(at(), JOB)).isEqualTo(new Reply.Ok<>(Checkpoints.NONE));
    }

    @Test
    void readsHowLargeTheStateOfACheckpointIs() {
        answers(
                "/jobs/" + JOB + "/checkpoints",
                200,
                """
                {"counts":{"completed":7},"latest":{"completed":{"id":7,"state_size":4096,
                "external_path":"file:/c/chk-7","latest_ack_timestamp":1000,"discarded":false}},
                "history":[]}
                """);

        assertThat(rest.checkpoints(at(), JOB).answer().flatMap(Checkpoints::completed))
                .contains(
                        new CheckpointRef(
                                7,
                                "file:/c/chk-7",
                                Instant.ofEpochMilli(1000),
                                false,
                                Optional.of(4_096L)));
    }

    /** In the form of Flink 1.20, while it makes a savepoint. */
    @Test
    void readsHowManySubtasksHaveAcknowledgedWhatIsInProgress() {
        answers(
                "/jobs/" + JOB + "/checkpoints",
                200,
                """
                {"counts":{"restored":0,"total":9,"in_progress":2,"completed":7,"failed":0},
                "latest":{"completed":null,"savepoint":null,"failed":null,"restored":null},
                "history":[
                {"className":"in_progress","id":9,"status":"IN_PROGRESS","is_savepoint":false,
                "savepointFormat":null,"trigger_timestamp":2000,"latest_ack_timestamp":-1,
                "checkpointed_size":0,"state_size":0,"end_to_end_duration":10,"alignment_buffered":0,
                "processed_data":0,"persisted_data":0,"num_subtasks":16,"num_acknowledged_subtasks":0,
                "checkpoint_type":"CHECKPOINT","tasks":{}},
                {"className":"in_progress","id":8,"status":"IN_PROGRESS","is_savepoint":true,
                "savepointFormat":"CANONICAL","trigger_timestamp":1000,"latest_ack_timestamp":1500,
                "checkpointed_size":9,"state_size":9,"end_to_end_duration":10,"alignment_buffered":0,
                "processed_data":0,"persisted_data":0,"num_subtasks":16,"num_acknowledged_subtasks":12,
                "checkpoint_type":"SAVEPOINT","tasks":{}},
                {"className":"completed","id":7,"status":"COMPLETED","is_savepoint":true,
                "trigger_timestamp":500,"num_subtasks":16,"num_acknowledged_subtasks":16}]}
                """);

        Checkpoints told = rest.checkpoints(at(), JOB).answer().orElseThrow();

        assertThat(told.inProgress())
                .containsExactly(
                        new CheckpointInProgress(false, Instant.ofEpochMilli(2000), 16, 0),
                        new CheckpointInProgress(true, Instant.ofEpochMilli(1000), 16, 12));
        assertThat(told.pendingSince()).contains(Instant.ofEpochMilli(1000));
        assertThat(told.oldestInProgress(true).flatMap(CheckpointInProgress::acknowledgedRatio))
                .contains(0.75);
        assertThat(told.oldestInProgress(false).map(CheckpointInProgress::acknowledged))
                .contains(0);
    }

    @Test
    void doesNotGuessHowManySubtasksHaveAcknowledged() {
        answers(
                "/jobs/" + JOB + "/checkpoints",
                200,
                """
                {"latest":{},"history":[{"status":"IN_PROGRESS","is_savepoint":true,"trigger_timestamp":1000}]}
                """);

        assertThat(
                        rest.checkpoints(at(), JOB)
                                .answer()
                                .flatMap(told -> told.oldestInProgress(true))
                                .orElseThrow()
                                .acknowledgedRatio())
                .isEmpty();
    }

    @Test
    void anyOther404IsNotTakenForAJobWithoutState() {
        answers("/jobs/" + JOB + "/checkpoints", 404, "{\"errors\":[\"Not found.\"]}");

        assertThat(rest.checkpoints(at(), JOB)).isInstanceOf(Reply.Refused.class);
    }

    @Test
    void checkpointsAreRetainedOnlyWhereFlinkSaysSoInSoManyWords() {
        assertThat(
                        retention(
                                "\"externalization\":{\"enabled\":true,\"delete_on_cancellation\":false}"))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.RETAINED));
        assertThat(
                        retention(
                                "\"externalization\":{\"enabled\":true,\"delete_on_cancellation\":true}"))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.DELETED));
        assertThat(
                        retention(
                                "\"externalization\":{\"enabled\":false,\"delete_on_cancellation\":true}"))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.DELETED));
        assertThat(retention("\"externalization\":{\"enabled\":true}"))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(retention("\"externalization\":null")).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void readsWhereACheckpointIsFromItsDetails() {
        answers(
                "/jobs/" + JOB + "/checkpoints/details/7",
                200,
                "{\"id\":7,\"status\":\"COMPLETED\",\"latest_ack_timestamp\":1000,"
                        + "\"discarded\":false,\"tasks\":{\"v\":{\"id\":1}},"
                        + "\"external_path\":\"file:/c/chk-7\"}");

        assertThat(rest.checkpointDetails(at(), JOB, 7))
                .isEqualTo(
                        new Reply.Ok<>(
                                new CheckpointRef(
                                        7, "file:/c/chk-7", Instant.ofEpochMilli(1000), false)));
    }

    /** Flink answers from a copy that is up to three seconds old. */
    @Test
    void doesNotKnowWhereACheckpointIsThatIsStillBeingMade() {
        answers(
                "/jobs/" + JOB + "/checkpoints/details/7",
                200,
                "{\"className\":\"in_progress\",\"id\":7,\"status\":\"IN_PROGRESS\","
                        + "\"trigger_timestamp\":900,\"latest_ack_timestamp\":-1,\"tasks\":{}}");

        assertThat(rest.checkpointDetails(at(), JOB, 7).answer())
                .hasValueSatisfying(
                        checkpoint -> {
                            assertThat(checkpoint.isPathTold()).isFalse();
                            assertThat(checkpoint.isAddressable()).isFalse();
                        });
    }

    private Reply<CheckpointRetention> retention(String externalization) {
        String job = Integer.toHexString(externalization.hashCode());
        answers(
                "/jobs/" + job + "/checkpoints/config",
                200,
                "{\"mode\":\"exactly_once\",\"interval\":60000,\"timeout\":600000,\"min_pause\":0,"
                        + "\"max_concurrent\":1,"
                        + externalization
                        + ",\"state_backend\":\"HashMapStateBackend\"}");
        return rest.checkpointRetention(at(), job);
    }

    @Test
    void aJobWithoutCheckpointingHasNothingToRetain() {
        answers(
                "/jobs/" + JOB + "/checkpoints/config",
                404,
                "{\"errors\":[\"Checkpointing is not enabled for this job (" + JOB + ").\"]}");

        assertThat(rest.checkpointRetention(at(), JOB))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.NO_CHECKPOINTS));
    }

    @Test
    void noOther404IsTakenForAJobThatHasNothingToRetain() {
        answers("/jobs/" + JOB + "/checkpoints/config", 404, "{\"errors\":[\"Not found.\"]}");

        assertThat(rest.checkpointRetention(at(), JOB)).isInstanceOf(Reply.Refused.class);
    }

    @Test
    void aCutReplyIsNoAnswer() {
        answers("/jobs/overview", 200, "{\"jobs\":[{");

        assertThat(rest.jobs(at())).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void aReplyWithoutItsCoreIsNoAnswer() {
        answers("/jobs/overview", 200, "{}");

        assertThat(rest.jobs(at())).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void aLateReplyIsNoAnswer() {
        server.createContext(
                "/config",
                exchange -> {
                    exchange.sendResponseHeaders(200, 100);
                    exchange.getResponseBody().write('{');
                    exchange.getResponseBody().flush();
                    awaitEnd();
                });

        assertThat(rest.config(at())).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void noJobYetIsAnEmptyList() {
        answers("/jobs/overview", 200, "{\"jobs\":[]}");

        assertThat(rest.jobs(at())).isEqualTo(new Reply.Ok<>(List.of()));
    }

    @Test
    void aFaultThatNamesAMissingJobIsAnUnknownJob() {
        answers(
                "/jobs/" + JOB + "/resource-requirements",
                500,
                """
                {"errors":["Internal server error.","<Exception on server side:\\norg.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (aaaa)\\n\\tat x\\nEnd of exception on server side>"]}\
                """);

        assertThat(rest.resourceRequirements(at(), JOB)).isInstanceOf(Reply.JobUnknown.class);
    }

    @Test
    void aPathFlinkDoesNotKnowIsRefused() {
        answers(
                "/jobs/" + JOB + "/resource-requirements",
                404,
                "{\"errors\":[\"Not found: /jobs/x/resource-requirements\"]}");

        assertThat(rest.resourceRequirements(at(), JOB))
                .isEqualTo(new Reply.Refused<>(404, "Not found: /jobs/x/resource-requirements"));
    }

    @Test
    void aTerminalJobRefusesToBeCancelled() {
        answers(
                "/jobs/" + JOB,
                409,
                """
                {"errors":["Job cancellation failed because the job has already reached another terminal state (FAILED).\\n\\tat x"]}\
                """);

        assertThat(rest.cancel(at(), JOB))
                .isEqualTo(
                        new Reply.Refused<>(
                                409,
                                "Job cancellation failed because the job has already reached"
                                        + " another terminal state (FAILED)."));
    }

    @Test
    void aJobWhoseMainThrewHasNoVertices() {
        answers(
                "/jobs/" + JOB,
                500,
                "{\"errors\":[\"Internal server error.\",\"java.lang.NullPointerException\"]}");
        answers(
                "/jobs/overview",
                200,
                """
                {"jobs":[{"jid":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"(application driver)","start-time":5,"state":"FAILED","tasks":{"total":0}}]}\
                """);

        assertThat(rest.job(at(), JOB))
                .isEqualTo(
                        new Reply.Ok<>(
                                new JobDetails(JOB, "(application driver)", "FAILED", List.of())));
    }

    @Test
    void exceptionsReadTheSameFromFlink1AndFlink2() {
        String history =
                """
                "exceptionHistory":{"entries":[{"exceptionName":"java.lang.Error","stacktrace":"java.lang.Error: x","timestamp":7,"taskName":"count (1/1)"}],"truncated":false}\
                """;
        answers(
                "/jobs/" + JOB + "/exceptions",
                200,
                "{\"root-exception\":\"java.lang.Error: x\",\"timestamp\":7,\"all-exceptions\":[],"
                        + history
                        + "}");
        answers("/jobs/bbbb/exceptions", 200, "{" + history + "}");

        var expected =
                new Reply.Ok<>(
                        List.of(
                                new JobException(
                                        "java.lang.Error",
                                        "java.lang.Error: x",
                                        Instant.ofEpochMilli(7),
                                        Optional.of("count (1/1)"))));
        assertThat(rest.exceptions(at(), JOB)).isEqualTo(expected);
        assertThat(rest.exceptions(at(), "bbbb")).isEqualTo(expected);
    }

    @Test
    void exceptionsNameWhereTheyHappened() {
        answers(
                "/jobs/" + JOB + "/exceptions",
                200,
                """
                {"exceptionHistory":{"entries":[{"exceptionName":"E","stacktrace":"E","timestamp":7,
                "failureLabels":{"type":"user"},"endpoint":"h:1","taskManagerId":"tm"}]}}\
                """);

        assertThat(rest.exceptions(at(), JOB))
                .isEqualTo(
                        new Reply.Ok<>(
                                List.of(
                                        new JobException(
                                                "E",
                                                "E",
                                                Instant.ofEpochMilli(7),
                                                Optional.empty(),
                                                Optional.of("h:1"),
                                                Optional.of("tm"),
                                                Map.of("type", "user")))));
    }

    @Test
    void aSavepointThatCannotBeDisposedOfSaysWhy() {
        answers(
                "/savepoint-disposal/r",
                200,
                """
                {"status":{"id":"COMPLETED"},"operation":{"failure-cause":{"stack-trace":
                "java.lang.RuntimeException: Could not dispose\\nCaused by: java.io.IOException: denied"}}}\
                """);

        assertThat(rest.disposal(at(), "r"))
                .isEqualTo(
                        new Reply.Ok<>(new DisposalStatus.Failed("java.io.IOException: denied")));
    }

    private URI at() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    private void answers(String path, int status, String body) {
        server.createContext(path, exchange -> answer(exchange, status, body));
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
