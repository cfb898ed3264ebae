// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static io.sluice.testkit.apiserver.ResourceType.Feature.GENERATION;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;

/** What a DELETE does: an object goes at once, or waits for its finalizers or its containers. */
final class Deletions {
    static final String FOREGROUND = "foregroundDeletion";
    static final String ORPHAN = "orphan";
    private static final int GRACE_OF_PODS = 30;

    /**
     * @param uid that the object has to have
     * @param version of the object that it has to be
     * @param propagation {@code Foreground}, {@code Background} or {@code Orphan}
     * @param graceSeconds for the containers of a pod
     */
    record Options(
            Optional<String> uid,
            Optional<String> version,
            Optional<String> propagation,
            Optional<Long> graceSeconds) {
        static Options of(ApiCall call) {
            JsonNode body =
                    call.body().isEmpty()
                            ? JsonNodeFactory.instance.objectNode()
                            : StoredObject.parse(call.body());
            return new Options(
                    text(body.at("/preconditions/uid")),
                    text(body.at("/preconditions/resourceVersion")),
                    text(body.path("propagationPolicy"))
                            .or(() -> call.parameter("propagationPolicy")),
                    text(body.path("gracePeriodSeconds"))
                            .or(() -> call.parameter("gracePeriodSeconds"))
                            .map(Long::valueOf));
        }

        /** Of the very object, as the garbage collector deletes it. */
        static Options ofSeen(StoredObject seen, String propagation) {
            return new Options(
                    Optional.of(seen.uid()),
                    Optional.empty(),
                    Optional.of(propagation),
                    Optional.empty());
        }

        private static Optional<String> text(JsonNode node) {
            return node.isValueNode() && !node.isNull()
                    ? Optional.of(node.asText())
                    : Optional.empty();
        }
    }

    private final ObjectStore store;
    private final Identities identities;

    Deletions(ObjectStore store, Identities identities) {
        this.store = store;
        this.identities = identities;
    }

    /**
     * Deletes the object.
     *
     * @return the object if it waits for something; empty if it is gone
     * @throws ApiRefusal if it is another one than the options say
     */
    Optional<StoredObject> delete(StoredObject found, Options options, boolean dryRun) {
        require(found, "UID", options.uid(), found.uid());
        require(found, "ResourceVersion", options.version(), Long.toString(found.version()));
        ObjectNode left = found.copy();
        ObjectNode metadata = left.withObject("/metadata");
        options.propagation().ifPresent(propagation -> mark(metadata, propagation));
        long grace = grace(found, options);
        boolean waits =
                grace > 0
                        || !metadata.path("finalizers").isEmpty()
                        || !left.at("/spec/finalizers").isEmpty();
        if (dryRun) {
            return waits ? Optional.of(found) : Optional.empty();
        }
        if (!waits) {
            store.remove(found.type(), found.copy());
            return Optional.empty();
        }
        if (!found.isBeingDeleted()) {
            begin(found, left, grace);
        } else if (grace < metadata.path("deletionGracePeriodSeconds").asLong()) {
            metadata.put("deletionGracePeriodSeconds", grace);
        }
        return Optional.of(left.equals(found.tree()) ? found : store.put(found.type(), left));
    }

    private static void require(
            StoredObject found, String what, Optional<String> wanted, String has) {
        if (wanted.filter(value -> !value.equals(has)).isPresent()) {
            throw ApiRefusal.conflict(
                    found.type(),
                    found.name(),
                    "the %1$s in the precondition (%2$s) does not match the %1$s in record (%3$s)"
                            .formatted(what, wanted.get(), has));
        }
    }

    private void begin(StoredObject found, ObjectNode left, long grace) {
        ObjectNode metadata = left.withObject("/metadata");
        metadata.put("deletionTimestamp", identities.time(grace))
                .put("deletionGracePeriodSeconds", grace);
        if (found.type().has(GENERATION)) {
            metadata.put("generation", found.metadata().path("generation").asLong() + 1);
        }
        if (found.type().isNamespaces()) {
            left.withObject("/status").put("phase", "Terminating");
        }
    }

    /** What the garbage collector has to do first is among the finalizers. */
    private static void mark(ObjectNode metadata, String propagation) {
        ArrayNode finalizers = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : metadata.path("finalizers")) {
            if (!Set.of(FOREGROUND, ORPHAN).contains(each.asText())) {
                finalizers.add(each);
            }
        }
        switch (propagation) {
            case "Foreground" -> finalizers.add(FOREGROUND);
            case "Orphan" -> finalizers.add(ORPHAN);
            case "Background" -> {
                // What belongs to the object is looked for once it is gone.
            }
            default ->
                    throw new ApiRefusal(
                            422, "Invalid", "propagationPolicy: Unsupported value: " + propagation);
        }
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.set("finalizers", finalizers);
        }
    }

    /** A pod that has no node, or has ended, needs no time. */
    private static long grace(StoredObject found, Options options) {
        if (!found.type().isPods()
                || found.tree().at("/spec/nodeName").asText("").isEmpty()
                || Set.of("Failed", "Succeeded")
                        .contains(found.tree().at("/status/phase").asText(""))) {
            return 0;
        }
        long own = found.tree().at("/spec/terminationGracePeriodSeconds").asLong(GRACE_OF_PODS);
        return options.graceSeconds().orElse(own);
    }
}
