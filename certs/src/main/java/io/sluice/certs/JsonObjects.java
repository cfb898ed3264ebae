// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/**
 * Objects of the API server as JSON trees. A process that starts would take longer to prepare the
 * library's models of three kinds than for all else that it does with them, and a tree keeps fields
 * that such a model may not know.
 */
final class JsonObjects {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;

    JsonObjects(KubernetesClient client) {
        this.client = client;
    }

    /** Empty if there is none. */
    Optional<ObjectNode> get(String path) {
        return Optional.ofNullable(client.raw(path)).map(text -> parsed(path, text));
    }

    /** False if it exists by now. */
    boolean create(String collection, ObjectNode object) {
        return send("POST", collection, object);
    }

    /** False if it has another {@code resourceVersion} by now than {@code object}. */
    boolean replace(String path, ObjectNode object) {
        return send("PUT", path, object);
    }

    private boolean send(String method, String path, ObjectNode object) {
        try {
            client.raw(path, method, object);
            return true;
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw failure;
        }
    }

    private static ObjectNode parsed(String path, String text) {
        try {
            return JSON.readValue(text, ObjectNode.class);
        } catch (JsonProcessingException unreadable) {
            unreadable.clearLocation();
            throw new IllegalStateException("the API server's answer to " + path, unreadable);
        }
    }
}
