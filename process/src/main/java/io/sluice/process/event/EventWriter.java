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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events. A repetition raises the count of the event that is there, which takes one request
 * if this process has written that one lately. An event that the API server refuses is logged, and
 * nothing else depends on it.
 */
public final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final String CONTENT_LABEL = "parallelismMap";
    private static final int MOST_REMEMBERED = 64;

    private final KubernetesClient client;
    private final InstantSource clock;
    private final UnaryOperator<String> wording;

    /** What the API server has stored lately, by namespace and name; the oldest goes first. */
    private final Map<String, Event> lately =
            Collections.synchronizedMap(
                    new LinkedHashMap<>(16, 0.75f, true) {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Event> eldest) {
                            return size() > MOST_REMEMBERED;
                        }
                    });

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
        if (repeatRemembered(event)) {
            return;
        }
        Optional<Event> standing =
                event.repetition().quiet().isPresent() ? existing(event) : Optional.empty();
        if (standing.isPresent()) {
            repeat(standing.get(), event);
            return;
        }
        try {
            remember(event, client.resource(first(event)).create());
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
            existing(event).ifPresent(before -> repeat(before, event));
        }
    }

    /**
     * Whether the event that this process has written lately was there, and as it was left. The API
     * server deletes events after an hour, and another process may have counted this one up.
     */
    private boolean repeatRemembered(KubernetesEvent event) {
        Optional<Event> before = Optional.ofNullable(lately.get(key(event)));
        try {
            before.ifPresent(it -> repeat(it, event));
            return before.isPresent();
        } catch (KubernetesClientException fault) {
            lately.remove(key(event));
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT
                    && fault.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw fault;
            }
            return false;
        }
    }

    private void remember(KubernetesEvent event, Event stored) {
        lately.put(key(event), stored);
    }

    private static String key(KubernetesEvent event) {
        return event.about().getNamespace() + "/" + event.name();
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
        remember(event, client.resource(labelled(counted, event.repetition())).update());
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
