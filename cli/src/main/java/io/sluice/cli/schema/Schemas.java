// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;

/**
 * The structural schemas of the CRDs that are shipped, each with the schema of Kubernetes' own
 * {@code metadata} in its place.
 */
final class Schemas {
    private static final Map<ResourceKind, JsonNode> BY_KIND = new ConcurrentHashMap<>();
    private static final JsonNode METADATA =
            read(Objects.requireNonNull(Schemas.class.getResourceAsStream("metadata.yaml")));

    private Schemas() {}

    /** The schema of a whole resource. Not to be modified. */
    static JsonNode of(ResourceKind kind) {
        return BY_KIND.computeIfAbsent(kind, Schemas::load);
    }

    private static JsonNode load(ResourceKind kind) {
        String file =
                "/crds/"
                        + kind.wire().toLowerCase(Locale.ROOT)
                        + "s."
                        + ApiVersion.GROUP
                        + "-v1.yml";
        JsonNode versions =
                read(Objects.requireNonNull(FlinkDeployment.class.getResourceAsStream(file), file))
                        .at("/spec/versions");
        ObjectNode schema =
                StreamSupport.stream(versions.spliterator(), false)
                        .filter(each -> each.path("name").asText("").equals(ApiVersion.VERSION))
                        .findFirst()
                        .orElseThrow()
                        .at("/schema/openAPIV3Schema")
                        .deepCopy();
        schema.withObjectProperty("properties").set("metadata", METADATA);
        return schema;
    }

    private static JsonNode read(InputStream yaml) {
        try (yaml) {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
