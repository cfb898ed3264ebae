// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static io.sluice.testkit.apiserver.ResourceType.Feature.SCALE;
import static io.sluice.testkit.apiserver.ResourceType.Feature.STATUS;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Carries calls out, except watches. */
record Endpoints(Reads reads, Writes writes, Deletions deletions, Admission admission) {
    /**
     * @throws ApiRefusal if the answer is an error
     */
    ApiReply answer(ApiCall call) {
        requireSubresource(call);
        return switch (call.verb()) {
            case GET -> ApiReply.ok(shown(call, reads.get(call)));
            case LIST -> ApiReply.ok(reads.list(call));
            case CREATE ->
                    new ApiReply(201, writes.create(call, StoredObject.parse(call.body())).bytes());
            case UPDATE -> {
                ObjectNode body = StoredObject.parse(call.body());
                yield ApiReply.ok(
                        shown(
                                call,
                                call.is("scale")
                                        ? writes.scale(call, body)
                                        : writes.update(call, body)));
            }
            case PATCH -> ApiReply.ok(writes.patch(call).bytes());
            case DELETE -> deleted(call, reads.get(call));
            case DELETECOLLECTION -> {
                reads.selected(call).forEach(each -> deleted(call, each));
                yield ApiReply.ok(reads.list(call));
            }
            case WATCH ->
                    throw new ApiRefusal(
                            406, "NotAcceptable", "a watch is served over a WebSocket only");
        };
    }

    private static void requireSubresource(ApiCall call) {
        boolean served =
                switch (call.subresource().orElse("")) {
                    case "" -> true;
                    case "status" -> call.type().has(STATUS);
                    case "scale" -> call.type().has(SCALE);
                    default -> false;
                };
        if (!served) {
            throw new ApiRefusal(
                    404, "NotFound", "the server could not find the requested resource: " + call);
        }
    }

    private ApiReply deleted(ApiCall call, StoredObject found) {
        admission.review(call, found.copy());
        Optional<StoredObject> waiting =
                deletions.delete(found, Deletions.Options.of(call), call.isDryRun());
        return waiting.map(object -> ApiReply.ok(object.bytes())).orElseGet(() -> gone(found));
    }

    private static ApiReply gone(StoredObject object) {
        ObjectNode status =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Success");
        status.putObject("metadata");
        status.putObject("details")
                .put("name", object.name())
                .put("group", object.type().group())
                .put("kind", object.type().plural())
                .put("uid", object.uid());
        return ApiReply.ok(StoredObject.write(status));
    }

    /** The object, or its scale. */
    private static byte[] shown(ApiCall call, StoredObject object) {
        return call.is("scale") ? StoredObject.write(scale(object)) : object.bytes();
    }

    private static ObjectNode scale(StoredObject object) {
        ObjectNode scale =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "Scale")
                        .put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field :
                new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
            metadata.set(field, object.metadata().path(field));
        }
        scale.putObject("spec").set("replicas", object.tree().at("/spec/replicas"));
        scale.putObject("status").put("replicas", object.tree().at("/status/replicas").asInt());
        return scale;
    }
}
