// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.Test;

class EngineClientTest {
    @Test
    void waitsForAnAnswerAsLongAsTheUserSays() throws IOException {
        try (var client = new EngineClient(Duration.ofMinutes(5));
                var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI jobManager = URI.create("http://localhost:" + silent.getLocalPort());

            assertThatThrownBy(
                            () ->
                                    client.callAt(
                                            jobManager,
                                            Optional.of(Duration.ofMillis(120)),
                                            jobs -> jobs.getJobDetails(new JobID()).get()))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("no complete answer within PT0.12S");
        }
    }
}
