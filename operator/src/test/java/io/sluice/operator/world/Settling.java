// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.sluice.operator.model.Reason;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/** What has to have come about in the end, whatever a resource asks for. */
public final class Settling {
    /** After so many rounds nothing is written any more. */
    private static final int STEADY_ROUND = 140;

    private int rounds;
    private int cost;

    /**
     * An orderly round has passed.
     *
     * @param writes so many were tried so far
     */
    public void round(int writes) {
        if (++rounds == STEADY_ROUND) {
            cost = writes;
        }
    }

    /**
     * @param writes so many were tried so far
     * @param text what to say of the resource
     * @param isAsWanted whether the world is, by the status
     * @return why the resource has not come to rest
     */
    public Optional<String> unsettled(
            CustomResource<ObjectNode, ObjectNode> resource,
            int writes,
            String text,
            Predicate<JsonNode> isAsWanted) {
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("its deletion does not end: " + text);
        }
        if (resource.getStatus() == null
                || resource.getStatus().path("observedGeneration").asLong()
                        != resource.getMetadata().getGeneration()) {
            return Optional.of("the generation is not reported: " + text);
        }
        if (writes > cost) {
            return Optional.of("it is written although nothing changes: " + text);
        }
        return isAsWanted.test(resource.getStatus()) ? Optional.empty() : Optional.of(text);
    }

    /** What the condition Ready says. */
    public static Optional<Reason> reason(JsonNode status) {
        String word = status.at("/conditions/1/reason").asText();
        return Arrays.stream(Reason.values()).filter(it -> it.wire().equals(word)).findFirst();
    }
}
