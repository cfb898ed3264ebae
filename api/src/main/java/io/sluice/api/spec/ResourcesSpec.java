// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Fields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kubernetes-style sizes of a component: {@code resources: {requests, limits, claims}}; quantities
 * by resource name.
 */
public record ResourcesSpec(
        Map<String, String> requests, Map<String, String> limits, List<Claim> claims) {
    public static final ResourcesSpec EMPTY = new ResourcesSpec(Map.of(), Map.of(), List.of());

    public ResourcesSpec {
        requests = Collections.unmodifiableMap(new LinkedHashMap<>(requests));
        limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
        claims = List.copyOf(claims);
    }

    /**
     * One of the pod's resource claims that the component uses.
     *
     * @param name as the pod names it; Kubernetes refuses a pod with a claim that has none
     * @param request one of the claim's requests, else all of them
     */
    public record Claim(String name, Optional<String> request) {
        static Claim read(Fields fields) {
            return new Claim(fields.string("name").orElse(""), fields.string("request"));
        }
    }

    public boolean isEmpty() {
        return !isSized() && claims.isEmpty();
    }

    /** Whether it has a request or a limit, and so goes before the older {@code resource}. */
    public boolean isSized() {
        return !requests.isEmpty() || !limits.isEmpty();
    }

    static ResourcesSpec read(Fields fields) {
        return new ResourcesSpec(
                fields.quantityMap("requests"),
                fields.quantityMap("limits"),
                fields.objects("claims").stream().map(Claim::read).toList());
    }
}
