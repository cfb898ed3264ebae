// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Puts resources into the etcd of an API server, with their statuses, a hundred at a time. For
 * those that a measurement needs by the hundred thousand: through the API server each is two
 * requests. Nobody reviews them or fills in defaults. Each has a revision of its own, as the API
 * server gives them: a watch that begins at one would miss the others of the same revision.
 *
 * @param etcd where it answers
 */
public record StoredResources(URI etcd, KubernetesSerialization json) {
    private static final int AT_ONCE = 100;

    /**
     * Stores resources that are not there yet.
     *
     * @param resources with namespaces and names; each gets a uid
     */
    public void put(List<? extends HasMetadata> resources) throws IOException {
        try (var http = HttpClient.newHttpClient()) {
            for (int from = 0; from < resources.size(); from += AT_ONCE) {
                put(http, resources.subList(from, Math.min(from + AT_ONCE, resources.size())));
            }
        }
    }

    private void put(HttpClient http, List<? extends HasMetadata> some) throws IOException {
        List<CompletableFuture<HttpResponse<String>>> answers =
                some.stream()
                        .map(this::request)
                        .map(it -> http.sendAsync(it, HttpResponse.BodyHandlers.ofString()))
                        .toList();
        for (CompletableFuture<HttpResponse<String>> each : answers) {
            HttpResponse<String> answer = each.join();
            if (answer.statusCode() != 200) {
                throw new IOException("etcd answers " + answer.statusCode() + answer.body());
            }
        }
    }

    private HttpRequest request(HasMetadata resource) {
        return HttpRequest.newBuilder(etcd.resolve("/v3/kv/put"))
                .POST(HttpRequest.BodyPublishers.ofString(operation(resource)))
                .build();
    }

    private String operation(HasMetadata resource) {
        ObjectMeta metadata = resource.getMetadata();
        metadata.setUid(UUID.randomUUID().toString());
        metadata.setGeneration(1L);
        metadata.setCreationTimestamp(
                InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS).toString());
        String folder =
                resource instanceof CustomResource
                        ? HasMetadata.getGroup(resource.getClass()) + "/"
                        : "";
        return "{\"key\":\"%s\",\"value\":\"%s\"}"
                .formatted(
                        base64(
                                "/registry/"
                                        + folder
                                        + resource.getPlural()
                                        + "/"
                                        + metadata.getNamespace()
                                        + "/"
                                        + metadata.getName()),
                        base64(json.asJson(resource)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
