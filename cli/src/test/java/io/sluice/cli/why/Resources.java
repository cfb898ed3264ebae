// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Resources as the API server has them, at one time. */
final class Resources {
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final Picture.Events NO_EVENTS = new Picture.Events.Listed(List.of());
    static final Troubleshooting PAGE = Troubleshooting.read();

    private Resources() {}

    /** A resource called shop/orders, created ten minutes ago. */
    static RawResource resource(ResourceKind kind, String spec, String status) {
        RawResource resource = RawResource.of(kind);
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("orders")
                        .withGeneration(7L)
                        .withCreationTimestamp("2026-03-01T11:50:00Z")
                        .build());
        resource.setSpec(json(spec));
        resource.setStatus(json(status));
        return resource;
    }

    static RawResource deployment(String status) {
        return resource(ResourceKind.FLINK_DEPLOYMENT, "{}", status);
    }

    /** A status of which one condition is true, since a minute ago. */
    static String status(String type, String reason, String message) {
        ObjectNode status = json("{}");
        status.put("observedGeneration", 7)
                .putArray("conditions")
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", "2026-03-01T11:59:00Z");
        return status.toString();
    }

    static Explanation explain(RawResource resource) {
        return explain(new Picture(resource, NO_EVENTS, List.of()));
    }

    static Explanation explain(Picture picture) {
        return new Explainer(PAGE, NOW).explain(picture);
    }

    static String text(RawResource resource) {
        return WhyText.of(explain(resource), NOW);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JsonMapper.builder().build().readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
