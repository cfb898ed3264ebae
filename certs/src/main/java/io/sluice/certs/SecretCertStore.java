// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
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
    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private Known known = new Known(Map.of(), new Stored.Missing());

    private record Known(Map<String, String> content, Stored stored) {}

    public SecretCertStore(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public Loaded load() {
        return Optional.ofNullable(secret().get())
                .map(
                        secret ->
                                new Loaded(
                                        stored(content(secret)),
                                        Optional.of(secret.getMetadata().getResourceVersion())))
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
        try {
            if (seen.version().isPresent()) {
                replace(material, seen.version().get());
            } else {
                client.resource(with(empty(), material)).create();
            }
            known = new Known(material.encode(), new Stored.Present(material));
            return true;
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw failure;
        }
    }

    /** Keeps what else is in the Secret; a changed version is a conflict. */
    private void replace(CertMaterial material, String version) {
        Optional.ofNullable(secret().get())
                .ifPresent(
                        current ->
                                client.resource(with(current, material))
                                        .lockResourceVersion(version)
                                        .update());
    }

    private static Secret with(Secret secret, CertMaterial material) {
        Map<String, String> data = new HashMap<>();
        material.encode()
                .forEach(
                        (key, text) ->
                                data.put(
                                        key,
                                        Base64.getEncoder().encodeToString(text.getBytes(UTF_8))));
        return new SecretBuilder(secret).addToData(data).build();
    }

    private static Map<String, String> content(Secret secret) {
        Map<String, String> content = new HashMap<>();
        Optional.ofNullable(secret.getData())
                .orElse(Map.of())
                .forEach((key, encoded) -> content.put(key, decoded(encoded)));
        return content;
    }

    private static String decoded(String base64) {
        return new String(Base64.getMimeDecoder().decode(base64), UTF_8);
    }

    private Resource<Secret> secret() {
        return client.secrets().inNamespace(namespace).withName(name);
    }

    private Secret empty() {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app.kubernetes.io/name", "sluice-webhook")
                .endMetadata()
                .withType("Opaque")
                .build();
    }
}
