// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.RawResource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One version of an object. It never changes, and is written and read once at most. */
final class StoredObject {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Learns how to read and write a class once for all servers, as that takes long. */
    static final KubernetesSerialization MODELS;

    /** That of {@link #MODELS}, which sets it up. */
    private static final ObjectMapper READER = new ObjectMapper();

    static {
        MODELS = new KubernetesSerialization(READER, true);
    }

    private final ResourceType type;
    private final ObjectNode tree;
    private final long version;
    private final boolean showsManagers;
    private volatile byte @Nullable [] bytes;
    private volatile @Nullable HasMetadata model;

    /**
     * @param tree nobody changes it from here on
     * @param version that of the whole store when it was written
     * @param showsManagers whether clients are shown who manages which field
     */
    StoredObject(ResourceType type, ObjectNode tree, long version, boolean showsManagers) {
        this.type = type;
        this.tree = tree;
        this.version = version;
        this.showsManagers = showsManagers;
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
            written = write(showsManagers ? tree : withoutManagers());
            bytes = written;
        }
        return written;
    }

    private ObjectNode withoutManagers() {
        ObjectNode shown = JSON.createObjectNode();
        shown.setAll(tree);
        ObjectNode metadata = JSON.createObjectNode();
        metadata.setAll((ObjectNode) metadata());
        metadata.remove("managedFields");
        shown.set("metadata", metadata);
        return shown;
    }

    /**
     * As the Kubernetes client reads it, without {@code managedFields}. It is read once at most,
     * and shared: nobody changes it, unless it is one of our resources, which are copied for
     * everybody.
     */
    <T extends HasMetadata> T model(Class<T> kind) {
        HasMetadata read = model;
        if (!kind.isInstance(read)) {
            read = read(kind);
            model = read;
        }
        return kind.cast(read instanceof RawResource ours ? copy(ours) : read);
    }

    private <T extends HasMetadata> T read(Class<T> kind) {
        try {
            return READER.treeToValue(withoutManagers(), kind);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RawResource copy(RawResource read) {
        RawResource copy = RawResource.of(read.kind());
        copy.setMetadata(new ObjectMetaBuilder(read.getMetadata()).build());
        Optional.ofNullable(read.getSpec()).ifPresent(it -> copy.setSpec(it.deepCopy()));
        Optional.ofNullable(read.getStatus()).ifPresent(it -> copy.setStatus(it.deepCopy()));
        return copy;
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
