// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serial;

/**
 * A request that the API server answers with an error, which its {@code Status} describes. Hooks
 * throw it to refuse a call.
 */
public final class ApiRefusal extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient ObjectNode details = JsonNodeFactory.instance.objectNode();

    /**
     * @param code of HTTP
     * @param reason a word of {@code metav1.StatusReason}
     */
    public ApiRefusal(int code, String reason, String message) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
    }

    static ApiRefusal badRequest(String message) {
        return new ApiRefusal(400, "BadRequest", message);
    }

    static ApiRefusal notFound(ResourceType type, String name) {
        return about(404, "NotFound", type, name, "not found");
    }

    static ApiRefusal alreadyExists(ResourceType type, String name) {
        return about(409, "AlreadyExists", type, name, "already exists");
    }

    static ApiRefusal conflict(ResourceType type, String name, String why) {
        return new ApiRefusal(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on %s \"%s\": %s"
                                .formatted(type.qualified(), name, why))
                .about(type, name);
    }

    /** Somebody has changed the object since the version that the request names. */
    static ApiRefusal outdated(ResourceType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and"
                        + " try again");
    }

    /**
     * @param field what of the object is wrong, as {@code metadata.uid}
     */
    static ApiRefusal invalid(ResourceType type, String name, String field, String why) {
        ApiRefusal refusal =
                new ApiRefusal(
                                422,
                                "Invalid",
                                "%s \"%s\" is invalid: %s: %s"
                                        .formatted(
                                                type.kind()
                                                        + (type.group().isEmpty()
                                                                ? ""
                                                                : "." + type.group()),
                                                name,
                                                field,
                                                why))
                        .about(type, name);
        return refusal.because("FieldValueInvalid", why, field);
    }

    /** As a quota or an admission plugin refuses. */
    public static ApiRefusal forbidden(ApiCall call, String name, String why) {
        return forbidden(call.type(), name, why);
    }

    static ApiRefusal forbidden(ResourceType type, String name, String why) {
        return new ApiRefusal(
                        403,
                        "Forbidden",
                        "%s \"%s\" is forbidden: %s".formatted(type.qualified(), name, why))
                .about(type, name);
    }

    static ApiRefusal terminating(ResourceType type, String name, String namespace) {
        String why =
                "unable to create new content in namespace %s because it is being terminated"
                        .formatted(namespace);
        return forbidden(type, name, why)
                .because(
                        "NamespaceTerminating",
                        "namespace %s is being terminated".formatted(namespace),
                        "metadata.namespace");
    }

    /** The client has to list anew. */
    static ApiRefusal expired(String message) {
        return new ApiRefusal(410, "Expired", message);
    }

    private static ApiRefusal about(
            int code, String reason, ResourceType type, String name, String what) {
        return new ApiRefusal(code, reason, "%s \"%s\" %s".formatted(type.qualified(), name, what))
                .about(type, name);
    }

    private ApiRefusal about(ResourceType type, String name) {
        details.put("name", name).put("kind", type.plural());
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        return this;
    }

    ApiRefusal because(String reason, String message, String field) {
        details.withArray("causes")
                .addObject()
                .put("reason", reason)
                .put("message", message)
                .put("field", field);
        return this;
    }

    int code() {
        return code;
    }

    /** As the API server writes it. */
    ObjectNode status() {
        ObjectNode status =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Failure")
                        .put("message", getMessage())
                        .put("reason", reason)
                        .put("code", code);
        status.putObject("metadata");
        if (!details.isEmpty()) {
            status.set("details", details);
        }
        return status;
    }
}
