// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static io.sluice.testkit.apiserver.ResourceType.Feature.CUSTOM;
import static io.sluice.testkit.apiserver.ResourceType.Feature.GENERATION;
import static io.sluice.testkit.apiserver.ResourceType.Feature.STATUS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.apiserver.fields.JsonPatch;
import io.sluice.testkit.apiserver.fields.ManagedFields;
import java.util.List;
import java.util.Optional;

/** Creations and changes. */
final class Writes {
    private static final String MANAGED_FIELDS = "managedFields";

    /** What of an object's metadata the server alone says. */
    private static final List<String> SERVERS =
            List.of(
                    "creationTimestamp",
                    "deletionGracePeriodSeconds",
                    "deletionTimestamp",
                    "generation",
                    MANAGED_FIELDS,
                    "uid");

    private final ObjectStore store;
    private final ResourceTypes types;
    private final Identities identities;
    private final Admission admission;

    Writes(ObjectStore store, ResourceTypes types, Identities identities, Admission admission) {
        this.store = store;
        this.types = types;
        this.identities = identities;
        this.admission = admission;
    }

    StoredObject create(ApiCall call, ObjectNode object) {
        return create(call, object, writer(call, "Update"));
    }

    private StoredObject create(ApiCall call, ObjectNode object, ManagedFields.Writer writer) {
        ResourceType type = call.type();
        ObjectNode metadata = object.withObject("/metadata");
        place(call, metadata);
        String name = named(type, metadata);
        requireNamespace(call, name);
        if (metadata.has("resourceVersion")) {
            throw new ApiRefusal(
                    500,
                    "InternalError",
                    "resourceVersion should not be set on objects to be created");
        }
        if (type.has(STATUS)) {
            object.remove("status");
        }
        SERVERS.forEach(metadata::remove);
        Defaults.complete(type, object);
        admission.review(call, object);
        String key = StoredObject.key(call.namespace(), name);
        if (store.find(type, key).isPresent()) {
            throw ApiRefusal.alreadyExists(type, name);
        }
        metadata.put("uid", identities.uid()).put("creationTimestamp", identities.now());
        if (type.has(GENERATION)) {
            metadata.put("generation", 1);
        }
        ManagedFields.update(
                JsonNodeFactory.instance.objectNode(), object, writer, identities.now());
        return call.isDryRun() ? store.of(type, object, store.version()) : store.put(type, object);
    }

    private static void place(ApiCall call, ObjectNode metadata) {
        if (call.namespace().isEmpty()) {
            if (call.type().namespaced()) {
                throw ApiRefusal.badRequest("an empty namespace may not be set during creation");
            }
            metadata.remove("namespace");
            return;
        }
        String namespace = call.namespace().get();
        if (metadata.has("namespace") && !metadata.path("namespace").asText().equals(namespace)) {
            throw ApiRefusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        metadata.put("namespace", namespace);
    }

    private String named(ResourceType type, ObjectNode metadata) {
        if (!metadata.has("name") && metadata.has("generateName")) {
            metadata.put("name", identities.generated(metadata.path("generateName").asText()));
        }
        String name = metadata.path("name").asText();
        if (name.isEmpty()) {
            throw ApiRefusal.invalid(
                    type, "", "metadata.name", "Required value: name or generateName is required");
        }
        return name;
    }

    private void requireNamespace(ApiCall call, String name) {
        call.namespace()
                .ifPresent(
                        namespace -> {
                            StoredObject found =
                                    store.find(types.namespaces(), namespace)
                                            .orElseThrow(
                                                    () ->
                                                            ApiRefusal.notFound(
                                                                    types.namespaces(), namespace));
                            if (found.isBeingDeleted()) {
                                throw ApiRefusal.terminating(call.type(), name, namespace);
                            }
                        });
    }

    /**
     * Replaces an object, or its status.
     *
     * @throws ApiRefusal if it was changed since, or is another one than the body says
     */
    StoredObject update(ApiCall call, ObjectNode wanted) {
        StoredObject found = found(call);
        JsonNode metadata = wanted.path("metadata");
        String name = metadata.path("name").asText();
        if (!name.isEmpty() && !name.equals(found.name())) {
            throw ApiRefusal.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(name, found.name()));
        }
        requireUid(found, metadata);
        if (call.type().has(CUSTOM) && !metadata.has("resourceVersion")) {
            throw ApiRefusal.invalid(
                    call.type(),
                    found.name(),
                    "metadata.resourceVersion",
                    "Invalid value: 0: must be specified for an update");
        }
        return replace(call, found, wanted);
    }

    /** Changes the number of replicas as a {@code Scale} says. */
    StoredObject scale(ApiCall call, ObjectNode scale) {
        StoredObject found = found(call);
        requireUid(found, scale.path("metadata"));
        ObjectNode wanted = found.copy();
        wanted.withObject("/spec").put("replicas", scale.at("/spec/replicas").asInt());
        JsonNode version = scale.at("/metadata/resourceVersion");
        if (version.isTextual()) {
            wanted.withObject("/metadata").set("resourceVersion", version);
        }
        return replace(call, found, wanted);
    }

    private static void requireUid(StoredObject found, JsonNode metadata) {
        String uid = metadata.path("uid").asText();
        if (!uid.isEmpty() && !uid.equals(found.uid())) {
            throw ApiRefusal.conflict(
                    found.type(),
                    found.name(),
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, found.uid()));
        }
    }

    StoredObject patch(ApiCall call) {
        return switch (call.contentType()) {
            case "application/json-patch+json" -> {
                StoredObject found = found(call);
                ObjectNode wanted = found.copy();
                change(wanted, call);
                yield patched(call, found, wanted);
            }
            case "application/merge-patch+json" -> {
                StoredObject found = found(call);
                ObjectNode wanted = found.copy();
                JsonPatch.merge(wanted, StoredObject.parse(call.body()));
                yield patched(call, found, wanted);
            }
            case "application/apply-patch+yaml" -> apply(call);
            default ->
                    throw new ApiRefusal(
                            415,
                            "UnsupportedMediaType",
                            "a patch of this type is not served here: " + call.contentType());
        };
    }

    private static void change(ObjectNode object, ApiCall call) {
        try {
            JsonPatch.apply(object, operations(call));
        } catch (IllegalArgumentException refused) {
            throw new ApiRefusal(
                    422,
                    "Invalid",
                    "the server rejected our request due to an error in our request: "
                            + refused.getMessage());
        }
    }

    private static JsonNode operations(ApiCall call) {
        return StoredObject.parse("{\"operations\":" + call.body() + "}").path("operations");
    }

    /** A patch says nothing of preconditions: what can't be changed is in its result. */
    private StoredObject patched(ApiCall call, StoredObject found, ObjectNode wanted) {
        for (String fixed : List.of("uid", "name", "namespace")) {
            if (!wanted.path("metadata").path(fixed).equals(found.metadata().path(fixed))) {
                throw ApiRefusal.invalid(
                        call.type(),
                        found.name(),
                        "metadata." + fixed,
                        "Invalid value: %s: field is immutable"
                                .formatted(wanted.path("metadata").path(fixed)));
            }
        }
        return replace(call, found, wanted);
    }

    private StoredObject apply(ApiCall call) {
        ObjectNode applied = StoredObject.parse(call.body());
        ObjectNode metadata = applied.withObject("/metadata");
        if (metadata.has(MANAGED_FIELDS)) {
            throw ApiRefusal.badRequest("metadata.managedFields must be nil");
        }
        ManagedFields.Writer writer = writer(call, "Apply");
        Optional<StoredObject> found = store.find(call.type(), call.key());
        if (found.isEmpty()) {
            if (metadata.has("uid")) {
                throw ApiRefusal.conflict(
                        call.type(), call.name().orElse(""), "uid mismatch: there is no object");
            }
            metadata.put("name", call.name().orElse(""));
            return create(call, applied, writer);
        }
        StoredObject live = found.get();
        requireUid(live, metadata);
        boolean force = call.parameter("force").filter("true"::equals).isPresent();
        ObjectNode merged = Apply.merge(call, live.tree(), applied, writer, force);
        ObjectNode result = prepared(call, live, merged);
        ManagedFields.write(
                live.tree(), result, writer, Apply.fields(applied, writer), true, identities.now());
        return stored(call, live, result);
    }

    private StoredObject replace(ApiCall call, StoredObject found, ObjectNode wanted) {
        ObjectNode result = prepared(call, found, wanted);
        if (result.equals(found.tree())) {
            return found;
        }
        ManagedFields.update(found.tree(), result, writer(call, "Update"), identities.now());
        return stored(call, found, result);
    }

    /** {@code wanted} as far as the endpoint may change the object. */
    private ObjectNode prepared(ApiCall call, StoredObject found, ObjectNode wanted) {
        JsonNode version = wanted.path("metadata").path("resourceVersion");
        if (version.isTextual()
                && !version.asText().isEmpty()
                && !version.asText().equals(Long.toString(found.version()))) {
            throw ApiRefusal.outdated(call.type(), found.name());
        }
        ObjectNode result;
        if (call.is("status")) {
            result = found.copy();
            copy("status", wanted, result);
        } else {
            result = wanted;
            if (call.type().has(STATUS)) {
                copy("status", found.tree(), result);
            }
            ObjectNode metadata = result.withObject("/metadata");
            metadata.put("name", found.name());
            SERVERS.forEach(field -> copy(field, found.metadata(), metadata));
            copy("namespace", found.metadata(), metadata);
            copy("resourceVersion", found.metadata(), metadata);
            removeIfEmpty(metadata, "finalizers");
            removeIfEmpty(metadata, "ownerReferences");
            requireOldFinalizers(found, metadata);
        }
        copy("apiVersion", found.tree(), result);
        copy("kind", found.tree(), result);
        Defaults.complete(call.type(), result);
        admission.review(call, result);
        return result;
    }

    private static void removeIfEmpty(ObjectNode parent, String name) {
        if (parent.path(name).isEmpty()) {
            parent.remove(name);
        }
    }

    /** Nobody can hold up a deletion that has begun. */
    private static void requireOldFinalizers(StoredObject found, ObjectNode metadata) {
        if (!found.isBeingDeleted()) {
            return;
        }
        for (JsonNode finalizer : metadata.path("finalizers")) {
            if (!found.hasFinalizer(finalizer.asText())) {
                throw ApiRefusal.invalid(
                        found.type(),
                        found.name(),
                        "metadata.finalizers",
                        "Forbidden: no new finalizers can be added if the object is being deleted,"
                                + " found new finalizers "
                                + finalizer);
            }
        }
    }

    private static void copy(String field, JsonNode from, ObjectNode to) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value);
        }
    }

    private StoredObject stored(ApiCall call, StoredObject found, ObjectNode result) {
        ResourceType type = call.type();
        if (result.equals(found.tree())) {
            return found;
        }
        if (type.has(GENERATION) && isSpecChanged(found.tree(), result)) {
            result.withObject("/metadata")
                    .put("generation", found.metadata().path("generation").asLong() + 1);
        }
        if (call.isDryRun()) {
            return store.of(type, result, found.version());
        }
        return isFinished(result) ? store.remove(type, result) : store.put(type, result);
    }

    /** Whether anything but the metadata and the status differs. */
    private static boolean isSpecChanged(ObjectNode before, ObjectNode after) {
        return differs(before, after) || differs(after, before);
    }

    private static boolean differs(ObjectNode one, ObjectNode other) {
        return one.propertyStream()
                .filter(each -> !each.getKey().equals("metadata"))
                .filter(each -> !each.getKey().equals("status"))
                .anyMatch(each -> !each.getValue().equals(other.get(each.getKey())));
    }

    /** Whether it is being deleted, and nothing keeps it. */
    static boolean isFinished(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").asLong() == 0
                && object.path("spec").path("finalizers").isEmpty();
    }

    private StoredObject found(ApiCall call) {
        return store.find(call.type(), call.key())
                .orElseThrow(() -> ApiRefusal.notFound(call.type(), call.name().orElse("")));
    }

    private static ManagedFields.Writer writer(ApiCall call, String operation) {
        return new ManagedFields.Writer(
                call.manager(), operation, call.subresource().orElse(""), call.type().apiVersion());
    }
}
