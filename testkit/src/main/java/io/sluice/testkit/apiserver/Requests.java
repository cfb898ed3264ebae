// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.sluice.testkit.apiserver.ApiCall.Verb;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads requests: {@code /api/v1/…}, or {@code /apis/GROUP/VERSION/…}, then {@code
 * namespaces/NAMESPACE} where it is about one, then {@code PLURAL[/NAME[/SUBRESOURCE]]}.
 */
final class Requests {
    private final ResourceTypes types;

    Requests(ResourceTypes types) {
        this.types = types;
    }

    /**
     * @param agent the {@code User-Agent}
     * @throws ApiRefusal if nothing is served there
     */
    ApiCall parse(String method, URI uri, String contentType, String body, String agent) {
        List<String> parts = List.of(uri.getPath().substring(1).split("/"));
        int at = parts.getFirst().equals("api") ? 2 : 3;
        if (parts.size() <= at || !List.of("api", "apis").contains(parts.getFirst())) {
            throw nothingAt(uri);
        }
        String apiVersion = String.join("/", parts.subList(1, at));
        Optional<String> namespace = Optional.empty();
        if (parts.get(at).equals("namespaces") && parts.size() > at + 2 && !isPart(parts, at + 2)) {
            namespace = Optional.of(parts.get(at + 1));
            at += 2;
        }
        ResourceType type = types.at(apiVersion, parts.get(at)).orElseThrow(() -> nothingAt(uri));
        Optional<String> name = part(parts, at + 1);
        Map<String, String> query = query(uri);
        return new ApiCall(
                verb(method, name.isPresent(), query),
                type,
                namespace,
                name,
                part(parts, at + 2),
                query,
                mediaType(contentType),
                body,
                product(agent));
    }

    /** Of a namespace itself, and no kind in it. */
    private static boolean isPart(List<String> parts, int at) {
        return parts.size() == at + 1 && List.of("status", "finalize").contains(parts.get(at));
    }

    private static Optional<String> part(List<String> parts, int at) {
        return parts.size() > at ? Optional.of(parts.get(at)) : Optional.empty();
    }

    private static ApiRefusal nothingAt(URI uri) {
        return new ApiRefusal(
                404, "NotFound", "the server could not find the requested resource: " + uri);
    }

    private static Verb verb(String method, boolean named, Map<String, String> query) {
        boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
        return switch (method) {
            case "GET" -> watch ? Verb.WATCH : named ? Verb.GET : Verb.LIST;
            case "POST" -> Verb.CREATE;
            case "PUT" -> Verb.UPDATE;
            case "PATCH" -> Verb.PATCH;
            case "DELETE" -> named ? Verb.DELETE : Verb.DELETECOLLECTION;
            default ->
                    throw new ApiRefusal(405, "MethodNotAllowed", method + " is not served here");
        };
    }

    private static String mediaType(String contentType) {
        int end = contentType.indexOf(';');
        return end < 0 ? contentType : contentType.substring(0, end).strip();
    }

    /** Without the version. */
    private static String product(String agent) {
        int end = agent.indexOf('/');
        return end < 0 ? agent : agent.substring(0, end);
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        Optional.ofNullable(uri.getRawQuery()).stream()
                .flatMap(text -> Arrays.stream(text.split("&")))
                .forEach(
                        each -> {
                            int equals = each.indexOf('=');
                            if (equals > 0) {
                                query.put(
                                        each.substring(0, equals),
                                        URLDecoder.decode(
                                                each.substring(equals + 1),
                                                StandardCharsets.UTF_8));
                            }
                        });
        return query;
    }
}
