// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.text.ShortenedText;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.process.event.EventWriter;
import io.sluice.process.event.KubernetesEvent;
import io.sluice.rules.config.Redaction;
import java.time.InstantSource;
import java.util.List;

/** Writes the events of a reconciliation as core/v1 events on its resource. */
public final class EventRecorder implements EventSink {
    private static final int LONGEST_MESSAGE = 1024;
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);

    private final EventWriter writer;

    public EventRecorder(KubernetesClient client, InstantSource clock) {
        writer = new EventWriter(client, clock, EventRecorder::shortened);
    }

    @Override
    public void tell(FlinkDeployment resource, List<ResourceEvent> notes) {
        tell((HasMetadata) resource, notes);
    }

    /** The same for a resource of any kind. */
    public void tell(HasMetadata resource, List<ResourceEvent> notes) {
        ObjectReference about = reference(resource);
        notes.forEach(note -> writer.write(event(about, note)));
    }

    private static KubernetesEvent event(ObjectReference about, ResourceEvent note) {
        return new KubernetesEvent(
                about,
                type(note.kind()),
                note.component(),
                note.reason(),
                note.key(),
                note.message(),
                note.annotations(),
                KubernetesEvent.Repetition.COUNTED);
    }

    private static ObjectReference reference(HasMetadata resource) {
        return new ObjectReferenceBuilder()
                .withApiVersion(resource.getApiVersion())
                .withKind(resource.getKind())
                .withNamespace(resource.getMetadata().getNamespace())
                .withName(resource.getMetadata().getName())
                .withUid(resource.getMetadata().getUid())
                .build();
    }

    private static KubernetesEvent.Type type(ResourceEvent.Kind kind) {
        return switch (kind) {
            case NORMAL -> KubernetesEvent.Type.NORMAL;
            case WARNING -> KubernetesEvent.Type.WARNING;
        };
    }

    /** Whoever wrote it had no configuration at hand: what looks like a secret is hidden here. */
    private static String shortened(String text) {
        return ShortenedText.of(REDACTION.apply(text), LONGEST_MESSAGE);
    }
}
