// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.event;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events. A repetition raises the count of the event that is there. An event that the API
 * server refuses is logged, and nothing else depends on it.
 */
public final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final String CONTENT_LABEL = "parallelismMap";

    private final KubernetesClient client;
    private final InstantSource clock;
    private final UnaryOperator<String> wording;

    /**
     * @param wording makes of a message what may be shown of it
     */
    public EventWriter(
            KubernetesClient client, InstantSource clock, UnaryOperator<String> wording) {
        this.client = client;
        this.clock = clock;
        this.wording = wording;
    }

    /** Writes the event, and returns whether it could. */
    public boolean write(KubernetesEvent event) {
        try {
            createOrRepeat(event);
            return true;
        } catch (KubernetesClientException fault) {
            LOG.atWarn()
                    .addKeyValue("resource.namespace", event.about().getNamespace())
                    .addKeyValue("resource.name", event.about().getName())
                    .addKeyValue("event", event.reason())
                    .addKeyValue("cause", fault.getMessage())
                    .log("an event could not be written: {}", wording.apply(event.message()));
            return false;
        }
    }

    /**
     * Most events are told once: whether one is there already shows when it is refused. One whose
     * repetitions may be left out is looked for first.
     */
    private void createOrRepeat(KubernetesEvent event) {
        Optional<Event> standing =
                event.repetition().quiet().isPresent() ? existing(event) : Optional.empty();
        if (standing.isPresent()) {
            repeat(standing.get(), event);
            return;
        }
        try {
            client.resource(first(event)).create();
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
            existing(event).ifPresent(before -> repeat(before, event));
        }
    }

    private Optional<Event> existing(KubernetesEvent event) {
        return Optional.ofNullable(
                client.v1()
                        .events()
                        .inNamespace(event.about().getNamespace())
                        .withName(event.name())
                        .get());
    }

    private void repeat(Event before, KubernetesEvent event) {
        if (isQuiet(before, event.repetition())) {
            return;
        }
        Event counted =
                new EventBuilder(before)
                        .withCount(Optional.ofNullable(before.getCount()).orElse(1) + 1)
                        .withLastTimestamp(now())
                        .withMessage(wording.apply(event.message()))
                        .build();
        client.resource(labelled(counted, event.repetition())).update();
    }

    private Event first(KubernetesEvent event) {
        Event first =
                new EventBuilder()
                        .withNewMetadata()
                        .withName(event.name())
                        .withNamespace(event.about().getNamespace())
                        .withAnnotations(event.annotations())
                        .endMetadata()
                        .withType(event.type().wire())
                        .withReason(event.reason())
                        .withMessage(wording.apply(event.message()))
                        .withCount(1)
                        .withFirstTimestamp(now())
                        .withLastTimestamp(now())
                        .withNewSource()
                        .withComponent(event.component())
                        .endSource()
                        .withInvolvedObject(event.about())
                        .build();
        return labelled(first, event.repetition());
    }

    private boolean isQuiet(Event before, KubernetesEvent.Repetition repetition) {
        Optional<String> content =
                Optional.ofNullable(before.getMetadata().getLabels())
                        .flatMap(labels -> Optional.ofNullable(labels.get(CONTENT_LABEL)));
        return content.equals(repetition.content())
                && repetition
                        .quiet()
                        .map(quiet -> Instant.parse(before.getLastTimestamp()).plus(quiet))
                        .filter(end -> clock.instant().isBefore(end))
                        .isPresent();
    }

    private static Event labelled(Event event, KubernetesEvent.Repetition repetition) {
        return repetition
                .content()
                .map(
                        content ->
                                new EventBuilder(event)
                                        .editMetadata()
                                        .addToLabels(CONTENT_LABEL, content)
                                        .endMetadata()
                                        .build())
                .orElse(event);
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
