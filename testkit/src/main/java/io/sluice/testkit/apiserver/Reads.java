// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads of one object, and lists. What is stored is written as it is, not read again. */
final class Reads {
    /**
     * The rest of a list, as it was when it began.
     *
     * @param version of the whole store then
     */
    private record Rest(List<StoredObject> objects, long version) {}

    private final ObjectStore store;
    private final Map<String, Rest> continued = new HashMap<>();

    Reads(ObjectStore store) {
        this.store = store;
    }

    StoredObject get(ApiCall call) {
        return store.find(call.type(), call.key())
                .orElseThrow(() -> ApiRefusal.notFound(call.type(), call.name().orElse("")));
    }

    /** What a selector selects. */
    List<StoredObject> selected(ApiCall call) {
        Selector selector = Selector.of(call);
        return store.list(call.type(), call.namespace()).stream().filter(selector).toList();
    }

    byte[] list(ApiCall call) {
        Rest rest =
                call.parameter("continue")
                        .map(this::rest)
                        .orElseGet(() -> new Rest(selected(call), store.version()));
        int limit = call.parameter("limit").map(Integer::parseInt).orElse(0);
        if (limit <= 0 || rest.objects().size() <= limit) {
            return write(call.type(), rest.objects(), rest.version(), "");
        }
        String token = "after-%d-%d".formatted(rest.version(), continued.size());
        List<StoredObject> all = rest.objects();
        continued.put(token, new Rest(all.subList(limit, all.size()), rest.version()));
        return write(
                call.type(),
                all.subList(0, limit),
                rest.version(),
                ",\"continue\":\"%s\",\"remainingItemCount\":%d"
                        .formatted(token, all.size() - limit));
    }

    private Rest rest(String token) {
        return Optional.ofNullable(continued.get(token))
                .orElseThrow(
                        () ->
                                ApiRefusal.expired(
                                        "The provided continue parameter is too old to display a"
                                                + " consistent list result."));
    }

    /** Lists that have begun can't go on. */
    void forget() {
        continued.clear();
    }

    private static byte[] write(
            ResourceType type, List<StoredObject> objects, long version, String more) {
        var out = new ByteArrayOutputStream();
        String head =
                "{\"kind\":\""
                        + type.kind()
                        + "List\",\"apiVersion\":\""
                        + type.apiVersion()
                        + "\",\"metadata\":{\"resourceVersion\":\""
                        + version
                        + "\""
                        + more
                        + "},\"items\":[";
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        boolean first = true;
        for (StoredObject object : objects) {
            if (!first) {
                out.write(',');
            }
            first = false;
            out.writeBytes(object.bytes());
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
