// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class VolumeMountFailuresTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Pod POD =
            new PodBuilder().withNewMetadata().withName("p").withUid("u").endMetadata().build();

    @Test
    void theNewestFailureIsTold() {
        assertThat(
                        failure(
                                event("FailedMount", 20, "secret \"new\" not found"),
                                event("FailedMount", 10, "secret \"old\" not found"),
                                event("Scheduled", 20, "on a node")))
                .contains("secret \"new\" not found");
        assertThat(failure(event("FailedAttachVolume", 1, "held by another node")))
                .contains("held by another node");
    }

    @Test
    void aCauseIsToldBeforeTheSummaryThatNamesNone() {
        assertThat(
                        failure(
                                event("FailedMount", 10, "secret \"s\" not found"),
                                event("FailedMount", 20, "Unable to attach or mount volumes: s")))
                .contains("secret \"s\" not found");
    }

    @Test
    void nothingIsToldOfWhatHasBeenMountedSince() {
        assertThat(
                        failure(
                                event("FailedMount", 10, "secret \"s\" not found"),
                                event("Pulling", 11, "image")))
                .isEmpty();
        assertThat(failure()).isEmpty();
    }

    @Test
    void aMessageIsShortAndWithoutWhatLooksLikeASecret() {
        assertThat(failure(event("FailedMount", 1, "mount -o password=hunter2 " + "x".repeat(999))))
                .hasValueSatisfying(
                        message ->
                                assertThat(message)
                                        .doesNotContain("hunter2")
                                        .hasSizeLessThanOrEqualTo(400));
    }

    @Test
    void eventsAreReadOnceInHalfAMinute() {
        var now = new AtomicReference<>(NOW);
        var reads = new AtomicInteger();
        var volumeMountFailures =
                new VolumeMountFailures(
                        _ -> List.of(event("FailedMount", 1, "read " + reads.incrementAndGet())),
                        now::get);

        assertThat(volumeMountFailures.failure(POD)).contains("read 1");
        now.set(NOW.plusSeconds(29));
        assertThat(volumeMountFailures.failure(POD)).contains("read 1");
        now.set(NOW.plusSeconds(30));
        assertThat(volumeMountFailures.failure(POD)).contains("read 2");
    }

    @Test
    void whatWasReadHoldsWhereEventsCannotBeRead() {
        var now = new AtomicReference<>(NOW);
        var volumeMountFailures =
                new VolumeMountFailures(
                        _ -> {
                            if (now.get().equals(NOW)) {
                                return List.of(event("FailedMount", 1, "no such volume"));
                            }
                            throw new KubernetesClientException("forbidden");
                        },
                        now::get);

        assertThat(volumeMountFailures.failure(POD)).contains("no such volume");
        now.set(NOW.plus(Duration.ofMinutes(1)));
        assertThat(volumeMountFailures.failure(POD)).contains("no such volume");
    }

    private static Optional<String> failure(Event... events) {
        return new VolumeMountFailures(_ -> List.of(events), () -> NOW).failure(POD);
    }

    private static Event event(String reason, long second, String message) {
        return new EventBuilder()
                .withNewMetadata()
                .endMetadata()
                .withReason(reason)
                .withMessage(message)
                .withLastTimestamp(NOW.plusSeconds(second).toString())
                .build();
    }
}
