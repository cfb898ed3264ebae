// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AuditedRequestsTest {
    private static final String LIST =
            line("list", "ResponseComplete", "flinkstatesnapshots", "", "12:00:01");
    private static final String STATUS =
            line("update", "ResponseComplete", "flinkdeployments", "status", "12:00:02");
    private static final String WATCH =
            line("watch", "ResponseStarted", "flinkdeployments", "", "12:00:03")
                    + line("watch", "ResponseComplete", "flinkdeployments", "", "12:00:03");
    private static final String LEASE =
            line("update", "ResponseComplete", "leases", "", "12:00:04");

    @Test
    void aWatchCountsOnceAndIsNoWork() throws IOException {
        AuditedRequests all = AuditedRequests.read(LIST + STATUS + WATCH + LEASE);

        assertThat(all.byKind())
                .containsEntry("list flinkstatesnapshots", 1L)
                .containsEntry("update flinkdeployments/status", 1L)
                .containsEntry("watch flinkdeployments", 1L)
                .containsEntry("update leases", 1L);
        assertThat(all.work()).isEqualTo(2);
        assertThat(all.writes()).isEqualTo(1);
        assertThat(all.watches()).isEqualTo(1);
        assertThat(all.last()).contains(Instant.parse("2026-03-01T12:00:02.000001Z"));
    }

    @Test
    void whatWasThereBeforeIsTakenOff() throws IOException {
        AuditedRequests more =
                AuditedRequests.read(LIST + STATUS + LIST).since(AuditedRequests.read(LIST));

        assertThat(more.byKind())
                .containsOnlyKeys("list flinkstatesnapshots", "update flinkdeployments/status");
        assertThat(more.work()).isEqualTo(2);
    }

    @Test
    void aLineThatIsBeingWrittenDoesNotCountYet() throws IOException {
        assertThat(AuditedRequests.read(LIST + STATUS.substring(0, 20)).work()).isEqualTo(1);
        assertThat(AuditedRequests.read("").work()).isZero();
    }

    private static String line(
            String verb, String stage, String resource, String subresource, String time) {
        return """
        {"kind":"Event","stage":"%s","verb":"%s","requestURI":"/apis","objectRef":{"resource":"%s","subresource":"%s"},\
        "requestReceivedTimestamp":"2026-03-01T%s.000001Z"}
        """
                .formatted(stage, verb, resource, subresource, time);
    }
}
