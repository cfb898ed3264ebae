// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.util.Map;
import java.util.Optional;

/**
 * A request, as the API server understands it.
 *
 * @param namespace empty of a kind without namespaces, and of a list of all of them
 * @param name empty where it is about all objects of a kind, or the body names the object
 * @param subresource as {@code status} or {@code scale}
 * @param query the parameters, decoded
 * @param contentType of the body; empty without one
 * @param body empty without one
 * @param agent the name of the client: what owns the fields that it writes, unless the query names
 *     a manager
 */
public record ApiCall(
        Verb verb,
        ResourceType type,
        Optional<String> namespace,
        Optional<String> name,
        Optional<String> subresource,
        Map<String, String> query,
        String contentType,
        String body,
        String agent) {

    /** As roles name them. */
    public enum Verb {
        GET,
        LIST,
        WATCH,
        CREATE,
        UPDATE,
        PATCH,
        DELETE,
        DELETECOLLECTION;

        /** Whether it may change what is stored. */
        public boolean writes() {
            return switch (this) {
                case GET, LIST, WATCH -> false;
                case CREATE, UPDATE, PATCH, DELETE, DELETECOLLECTION -> true;
            };
        }
    }

    public ApiCall {
        query = Map.copyOf(query);
    }

    Optional<String> parameter(String key) {
        return Optional.ofNullable(query.get(key));
    }

    boolean isDryRun() {
        return parameter("dryRun").filter("All"::equals).isPresent();
    }

    boolean is(String wanted) {
        return subresource.filter(wanted::equals).isPresent();
    }

    /** Of the object in the store. */
    String key() {
        return StoredObject.key(namespace, name.orElse(""));
    }

    String manager() {
        return parameter("fieldManager").orElse(agent);
    }

    /** As {@code PATCH deployments/scale shop/orders}. */
    @Override
    public String toString() {
        return verb
                + " "
                + type.plural()
                + subresource.map(part -> "/" + part).orElse("")
                + " "
                + key();
    }
}
