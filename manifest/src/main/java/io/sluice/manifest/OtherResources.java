// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.ResourcesSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a component asks for besides processor time and memory, such as local disk or a GPU. Flink's
 * configuration has no word for it, so it goes to the main container, where Flink leaves it as it
 * is (docs/contract/reconciler.md, section 6).
 */
final class OtherResources {
    private static final Set<String> FLINKS_OWN = Set.of("cpu", "memory");
    private static final String DISK = "ephemeral-storage";
    private static final String FIELD = "resources";
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";
    private static final String CLAIMS = "claims";

    private OtherResources() {}

    /**
     * Gives them to {@code container}. A resource that its template has a request or a limit of
     * stays wholly as it is there: half of each might not fit together.
     */
    static void put(ComponentSpec component, ObjectNode container) {
        ResourcesSpec wanted = wanted(component);
        Set<String> kept = new HashSet<>(FLINKS_OWN);
        for (String side : List.of(REQUESTS, LIMITS)) {
            container.path(FIELD).path(side).fieldNames().forEachRemaining(kept::add);
        }
        put(container, REQUESTS, wanted.requests(), kept);
        put(container, LIMITS, wanted.limits(), kept);
        for (ResourcesSpec.Claim claim : wanted.claims()) {
            claim(container, claim);
        }
    }

    /** The newer form wins over the older once it has a request or a limit. */
    private static ResourcesSpec wanted(ComponentSpec component) {
        ResourcesSpec newer = component.resources().orElse(ResourcesSpec.EMPTY);
        if (newer.isSized()) {
            return newer;
        }
        Map<String, String> disk =
                component
                        .resource()
                        .flatMap(older -> older.ephemeralStorage())
                        .filter(text -> !text.isBlank())
                        .map(text -> Map.of(DISK, Long.toString(AttemptOptions.bytes(text))))
                        .orElseGet(Map::of);
        return new ResourcesSpec(disk, disk, newer.claims());
    }

    private static void put(
            ObjectNode container, String side, Map<String, String> wanted, Set<String> kept) {
        new TreeMap<>(wanted)
                .forEach(
                        (name, quantity) -> {
                            if (!kept.contains(name)) {
                                object(object(container, FIELD), side).put(name, quantity);
                            }
                        });
    }

    private static void claim(ObjectNode container, ResourcesSpec.Claim claim) {
        ObjectNode resources = object(container, FIELD);
        ArrayNode claims =
                resources.get(CLAIMS) instanceof ArrayNode list ? list : resources.putArray(CLAIMS);
        for (JsonNode theirs : claims) {
            if (theirs.path("name").asText().equals(claim.name())) {
                return;
            }
        }
        ObjectNode added = claims.addObject().put("name", claim.name());
        claim.request().ifPresent(request -> added.put("request", request));
    }

    private static ObjectNode object(ObjectNode node, String name) {
        return node.get(name) instanceof ObjectNode object ? object : node.putObject(name);
    }
}
