// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.rules.config.Redaction;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes as core/v1 events on their resource. The name is {@code <Component>.<hash>}
 * (docs/contract/events.md, section 1), in lower case as the API server wants it, so that a
 * repetition raises the count of the event that is there.
 */
public final class EventRecorder implements EventSink {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int LONGEST_MESSAGE = 1024;
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);

    private final KubernetesClient client;
    private final InstantSource clock;

    public EventRecorder(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    @Override
    public void tell(FlinkDeployment resource, List<ResourceEvent> notes) {
        tell((HasMetadata) resource, notes);
    }

    /** The same for a resource of any kind. */
    public void tell(HasMetadata resource, List<ResourceEvent> notes) {
        for (ResourceEvent note : notes) {
            try {
                record(resource, note);
            } catch (KubernetesClientException fault) {
                LOG.atWarn()
                        .addKeyValue("resource.namespace", resource.getMetadata().getNamespace())
                        .addKeyValue("resource.name", resource.getMetadata().getName())
                        .addKeyValue("event", note.reason())
                        .addKeyValue("cause", fault.getMessage())
                        .log("an event could not be recorded");
            }
        }
    }

    /** Most notes are told once: whether one is there already shows when it is refused. */
    private void record(HasMetadata resource, ResourceEvent note) {
        String name = name(resource, note);
        try {
            client.resource(first(resource, note, name)).create();
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
            again(resource, note, name);
        }
    }

    private void again(HasMetadata resource, ResourceEvent note, String name) {
        String namespace = resource.getMetadata().getNamespace();
        Optional.ofNullable(client.v1().events().inNamespace(namespace).withName(name).get())
                .map(
                        before ->
                                new EventBuilder(before)
                                        .withCount(
                                                Optional.ofNullable(before.getCount()).orElse(1)
                                                        + 1)
                                        .withLastTimestamp(now())
                                        .withMessage(shortened(note.message()))
                                        .build())
                .ifPresent(event -> client.resource(event).update());
    }

    private Event first(HasMetadata resource, ResourceEvent note, String name) {
        return new EventBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(resource.getMetadata().getNamespace())
                .withAnnotations(note.annotations())
                .endMetadata()
                .withType(note.kind().wire())
                .withReason(note.reason())
                .withMessage(shortened(note.message()))
                .withCount(1)
                .withFirstTimestamp(now())
                .withLastTimestamp(now())
                .withNewSource()
                .withComponent(note.component())
                .endSource()
                .withNewInvolvedObject()
                .withApiVersion(resource.getApiVersion())
                .withKind(resource.getKind())
                .withName(resource.getMetadata().getName())
                .withNamespace(resource.getMetadata().getNamespace())
                .withUid(resource.getMetadata().getUid())
                .endInvolvedObject()
                .build();
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String name(HasMetadata resource, ResourceEvent note) {
        String identity =
                note.reason()
                        + note.key()
                        + note.kind().wire()
                        + resource.getKind()
                        + resource.getMetadata().getName()
                        + resource.getMetadata().getUid();
        return (note.component() + "." + (identity.hashCode() & Integer.MAX_VALUE))
                .toLowerCase(Locale.ROOT);
    }

    /** Whoever wrote it had no configuration at hand: what looks like a secret is hidden here. */
    private static String shortened(String text) {
        String message = REDACTION.apply(text);
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - 1) + "…";
    }
}
