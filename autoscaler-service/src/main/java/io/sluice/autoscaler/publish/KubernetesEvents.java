// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.spec.ApiVersion;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.process.event.EventWriter;
import io.sluice.process.event.KubernetesEvent;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The engine's events as core/v1 Events on the resource. */
public final class KubernetesEvents implements JobEvents {
    /** The Apache operator's autoscaler has this component too. */
    private static final String COMPONENT = "Operator";

    private final EventWriter writer;
    private final ToldEvents told;

    /**
     * @param clock for the times in the events
     * @param uptime a clock that nobody sets
     */
    public KubernetesEvents(KubernetesClient client, InstantSource clock, InstantSource uptime) {
        told = new ToldEvents(uptime);
        writer = new EventWriter(client, clock, UnaryOperator.identity());
    }

    @Override
    public void publish(JobKey key, EngineEvent event) {
        if (!told.isRepeated(key, event) && writer.write(rendered(key, event))) {
            told.add(key, event);
        }
    }

    private static KubernetesEvent rendered(JobKey key, EngineEvent event) {
        return new KubernetesEvent(
                reference(key),
                type(event.severity()),
                COMPONENT,
                event.reason(),
                event.key().orElse(event.message()),
                event.message(),
                Map.of(),
                new KubernetesEvent.Repetition(event.quiet(), event.content()));
    }

    /** The event itself stays until the API server drops it. */
    @Override
    public void leave(JobKey key) {
        told.leave(key);
    }

    private static ObjectReference reference(JobKey key) {
        return new ObjectReferenceBuilder()
                .withApiVersion(ApiVersion.TEXT)
                .withKind(key.kind().wire())
                .withNamespace(key.namespace())
                .withName(key.name())
                .withUid(key.uid())
                .build();
    }

    private static KubernetesEvent.Type type(EngineEvent.Severity severity) {
        return switch (severity) {
            case NORMAL -> KubernetesEvent.Type.NORMAL;
            case WARNING -> KubernetesEvent.Type.WARNING;
        };
    }
}
