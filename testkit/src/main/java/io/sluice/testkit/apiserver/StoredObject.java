// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One version of an object. It never changes, and is written as JSON once at most. */
final class StoredObject {
    static final ObjectMapper JSON = new ObjectMapper();

    private final ResourceType type;
    private final ObjectNode tree;
    private final long version;
    private volatile byte @Nullable [] bytes;

    /**
     * @param tree nobody changes it from here on
     * @param version that of the whole store when it was written
     */
    StoredObject(ResourceType type, ObjectNode tree, long version) {
        this.type = type;
        this.tree = tree;
        this.version = version;
    }

    /** Where an object is in the store, in the order of the real one. */
    static String key(Optional<String> namespace, String name) {
        return namespace.map(space -> space + "/" + name).orElse(name);
    }

    ResourceType type() {
        return type;
    }

    /** To read only. */
    ObjectNode tree() {
        return tree;
    }

    /** To be changed. */
    ObjectNode copy() {
        return tree.deepCopy();
    }

    long version() {
        return version;
    }

    JsonNode metadata() {
        return tree.path("metadata");
    }

    String name() {
        return metadata().path("name").asText();
    }

    Optional<String> namespace() {
        return Optional.ofNullable(metadata().get("namespace")).map(JsonNode::asText);
    }

    String key() {
        return key(namespace(), name());
    }

    String uid() {
        return metadata().path("uid").asText();
    }

    boolean isBeingDeleted() {
        return metadata().has("deletionTimestamp");
    }

    boolean hasFinalizer(String wanted) {
        for (JsonNode finalizer : metadata().path("finalizers")) {
            if (finalizer.asText().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** As JSON; nobody changes it. */
    byte[] bytes() {
        byte[] written = bytes;
        if (written == null) {
            written = write(tree);
            bytes = written;
        }
        return written;
    }

    static byte[] write(JsonNode tree) {
        try {
            return JSON.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * @throws ApiRefusal if it is no JSON object
     */
    static ObjectNode parse(String text) {
        try {
            if (JSON.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException malformed) {
            throw ApiRefusal.badRequest("the body is no JSON: " + malformed.getOriginalMessage());
        }
        throw ApiRefusal.badRequest("the body is no object");
    }
}
