// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine's events as core/v1 Events on the resource. */
public final class KubernetesEvents implements JobEvents {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEvents.class);
    private static final String CONTENT_LABEL = "parallelismMap";

    private final KubernetesClient client;
    private final InstantSource clock;

    public KubernetesEvents(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** An event nobody can write is logged: scaling goes on without it. */
    @Override
    public void publish(JobKey key, EngineEvent event) {
        try {
            var named =
                    client.v1()
                            .events()
                            .inNamespace(key.namespace())
                            .withName(EventName.of(event, key));
            Event existing = named.get();
            if (existing == null) {
                create(key, event);
            } else if (!isQuiet(existing, event)) {
                repeat(named, event);
            }
        } catch (KubernetesClientException failed) {
            LOG.atWarn()
                    .addKeyValue("job", key.path())
                    .addKeyValue("reason", event.reason())
                    .setCause(failed)
                    .log("event not written: {}", event.message());
        }
    }

    /** What was told stays until the API server drops it. */
    @Override
    public void leave(JobKey key) {}

    private void create(JobKey key, EngineEvent event) {
        String now = clock.instant().toString();
        Event created =
                new EventBuilder()
                        .withNewMetadata()
                        .withName(EventName.of(event, key))
                        .withNamespace(key.namespace())
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withApiVersion(FlinkDeployment.GROUP + "/" + FlinkDeployment.VERSION)
                        .withKind(key.kind().wire())
                        .withNamespace(key.namespace())
                        .withName(key.name())
                        .withUid(key.uid())
                        .endInvolvedObject()
                        .withReason(event.reason())
                        .withType(EventName.type(event))
                        .withMessage(event.message())
                        .withCount(1)
                        .withFirstTimestamp(now)
                        .withLastTimestamp(now)
                        .withNewSource()
                        .withComponent(EventName.COMPONENT)
                        .endSource()
                        .build();
        client.resource(withContent(created, event)).create();
    }

    private void repeat(Resource<Event> named, EngineEvent event) {
        named.edit(
                existing ->
                        withContent(
                                new EventBuilder(existing)
                                        .withMessage(event.message())
                                        .withCount(count(existing) + 1)
                                        .withLastTimestamp(clock.instant().toString())
                                        .build(),
                                event));
    }

    private boolean isQuiet(Event existing, EngineEvent event) {
        Optional<String> content =
                Optional.ofNullable(existing.getMetadata().getLabels())
                        .map(labels -> labels.get(CONTENT_LABEL));
        return content.equals(event.content())
                && event.quiet()
                        .map(quiet -> Instant.parse(existing.getLastTimestamp()).plus(quiet))
                        .filter(end -> clock.instant().isBefore(end))
                        .isPresent();
    }

    private static Event withContent(Event event, EngineEvent source) {
        return source.content()
                .map(
                        content ->
                                new EventBuilder(event)
                                        .editMetadata()
                                        .addToLabels(CONTENT_LABEL, content)
                                        .endMetadata()
                                        .build())
                .orElse(event);
    }

    private static int count(Event event) {
        return Optional.ofNullable(event.getCount()).orElse(1);
    }
}
