// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.text.ShortenedText;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.rules.config.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a pod's volumes from being mounted, such as a Secret that is missing: only the pod's
 * events say so. An answer holds for a while. All of it can be lost: then events are read again.
 */
public final class VolumeMountFailures {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeMountFailures.class);
    private static final Duration READ_AGAIN = Duration.ofSeconds(30);
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);
    private static final int LONGEST_MESSAGE = 400;
    private static final Set<String> FAILED = Set.of("FailedMount", "FailedAttachVolume");

    /** What comes after all volumes are there. */
    private static final Set<String> MOUNTED = Set.of("Pulling", "Pulled", "Created", "Started");

    /** Names the volumes, but not what is wrong with them, as another event does. */
    private static final String SUMMARY = "Unable to attach or mount volumes";

    private record Look(Instant at, Optional<String> failure) {}

    private final Function<Pod, List<Event>> events;
    private final InstantSource clock;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /**
     * @param events of a pod, asked of the API server
     */
    public VolumeMountFailures(Function<Pod, List<Event>> events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    /** The failure in Kubernetes' own words. */
    public Optional<String> failure(Pod pod) {
        Instant now = clock.instant();
        Optional<Look> last = Optional.ofNullable(looks.get(pod.getMetadata().getUid()));
        if (last.filter(look -> now.isBefore(look.at().plus(READ_AGAIN))).isPresent()) {
            return last.flatMap(Look::failure);
        }
        Optional<String> failure = read(pod, last.flatMap(Look::failure));
        looks.put(pod.getMetadata().getUid(), new Look(now, failure));
        looks.values().removeIf(look -> look.at().plus(FORGOTTEN).isBefore(now));
        return failure;
    }

    /**
     * Events tell more than is needed: a reconciliation does without them where they can't be read.
     */
    private Optional<String> read(Pod pod, Optional<String> before) {
        try {
            return failure(events.apply(pod));
        } catch (KubernetesClientException fault) {
            LOG.atWarn()
                    .addKeyValue("pod.namespace", pod.getMetadata().getNamespace())
                    .addKeyValue("pod.name", pod.getMetadata().getName())
                    .addKeyValue("cause", ApiServerMessage.of(fault))
                    .log("the events of a pod that waits could not be read");
            return before;
        }
    }

    private static Optional<String> failure(Collection<Event> events) {
        Instant mounted =
                of(MOUNTED, events)
                        .map(VolumeMountFailures::time)
                        .max(Instant::compareTo)
                        .orElse(Instant.MIN);
        return of(FAILED, events)
                .filter(event -> !time(event).isBefore(mounted))
                .filter(event -> event.getMessage() != null)
                .max(
                        Comparator.comparing(VolumeMountFailures::isCause)
                                .thenComparing(VolumeMountFailures::time))
                .map(
                        event ->
                                ShortenedText.of(
                                        REDACTION.apply(event.getMessage()), LONGEST_MESSAGE));
    }

    private static Stream<Event> of(Set<String> reasons, Collection<Event> events) {
        return events.stream()
                .filter(event -> event.getReason() != null && reasons.contains(event.getReason()));
    }

    private static boolean isCause(Event event) {
        return !event.getMessage().startsWith(SUMMARY);
    }

    private static Instant time(Event event) {
        return Optional.ofNullable(event.getLastTimestamp())
                .or(() -> Optional.ofNullable(event.getMetadata().getCreationTimestamp()))
                .map(Instant::parse)
                .orElse(Instant.EPOCH);
    }
}
