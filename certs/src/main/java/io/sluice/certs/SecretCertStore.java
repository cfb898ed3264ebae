// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One Secret. Its resourceVersion decides between replicas. What it held last is known, and checked
 * again only when it holds something else: to hold keys against certificates is most of what a look
 * takes. Not for use by several threads.
 */
public final class SecretCertStore implements CertStore {
    private final JsonObjects objects;
    private final String namespace;
    private final String name;
    private Known known = new Known(Map.of(), new Stored.Missing());

    private record Known(Map<String, String> content, Stored stored) {}

    public SecretCertStore(KubernetesClient client, String namespace, String name) {
        this.objects = new JsonObjects(client);
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public Loaded load() {
        return objects.get(path())
                .map(
                        secret ->
                                new Loaded(
                                        stored(content(secret)),
                                        Optional.of(
                                                secret.at("/metadata/resourceVersion").asText())))
                .orElseGet(() -> new Loaded(new Stored.Missing(), Optional.empty()));
    }

    private Stored stored(Map<String, String> content) {
        if (!known.content().equals(content)) {
            known = new Known(content, CertMaterial.decode(content));
        }
        return known.stored();
    }

    @Override
    public boolean save(CertMaterial material, Loaded seen) {
        boolean saved =
                seen.version()
                        .map(version -> replace(material, version))
                        .orElseGet(() -> objects.create(collection(), with(empty(), material)));
        if (saved) {
            known = new Known(material.encode(), new Stored.Present(material));
        }
        return saved;
    }

    /** Keeps what else is in the Secret; a changed version is a conflict, as is none at all. */
    private boolean replace(CertMaterial material, String version) {
        return objects.get(path())
                .map(
                        current -> {
                            current.withObject("/metadata").put("resourceVersion", version);
                            return objects.replace(path(), with(current, material));
                        })
                .orElse(false);
    }

    private static ObjectNode with(ObjectNode secret, CertMaterial material) {
        ObjectNode data = secret.withObject("/data");
        material.encode()
                .forEach(
                        (key, text) ->
                                data.put(
                                        key,
                                        Base64.getEncoder().encodeToString(text.getBytes(UTF_8))));
        return secret;
    }

    private static Map<String, String> content(JsonNode secret) {
        Map<String, String> content = new HashMap<>();
        secret.path("data")
                .properties()
                .forEach(entry -> content.put(entry.getKey(), decoded(entry.getValue().asText())));
        return content;
    }

    private static String decoded(String base64) {
        return new String(Base64.getMimeDecoder().decode(base64), UTF_8);
    }

    private String path() {
        return collection() + "/" + name;
    }

    private String collection() {
        return "/api/v1/namespaces/" + namespace + "/secrets";
    }

    private ObjectNode empty() {
        ObjectNode secret = JsonNodeFactory.instance.objectNode();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
        secret.putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .putObject("labels")
                .put("app.kubernetes.io/name", "sluice-webhook");
        return secret;
    }
}
