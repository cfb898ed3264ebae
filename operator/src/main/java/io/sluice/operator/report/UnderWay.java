// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.client.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What is kept of each request to the API server until its answer comes. A request that nobody
 * tells the end of is not remembered for ever.
 */
public final class UnderWay<T> {
    private static final int MOST = 4096;

    private final Map<UUID, T> byId =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<UUID, T> eldest) {
                    return size() > MOST;
                }
            };

    public synchronized void begin(HttpRequest request, T what) {
        byId.put(request.id(), what);
    }

    /** Empty if the request never began, or so many have begun since that it was given up. */
    public synchronized Optional<T> end(HttpRequest request) {
        return Optional.ofNullable(byId.remove(request.id()));
    }
}
