// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;

/**
 * One REST client of Flink's per JobManager, kept as long as its resource exists. The engine closes
 * whatever client it is handed, several times a cycle; it is handed one that survives that.
 */
public final class RestClients implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final Map<URI, Pooled> clients = new ConcurrentHashMap<>();

    /** Throws what Flink's client throws on creation, {@link IllegalStateException} around it. */
    public RestClusterClient<String> at(URI address) {
        return clients.computeIfAbsent(address, RestClients::open);
    }

    /** The resource is gone. */
    public void release(URI address) {
        Pooled client = clients.remove(address);
        if (client != null) {
            client.reallyClose();
        }
    }

    @Override
    public void close() {
        clients.keySet().forEach(this::release);
    }

    private static Pooled open(URI address) {
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, address.getHost());
        configuration.set(RestOptions.ADDRESS, address.getHost());
        configuration.set(RestOptions.PORT, address.getPort());
        configuration.set(RestOptions.CONNECTION_TIMEOUT, CONNECT);
        configuration.set(RestOptions.IDLENESS_TIMEOUT, ANSWER);
        configuration.set(RestOptions.RETRY_MAX_ATTEMPTS, 1);
        configuration.set(RestOptions.RETRY_DELAY, Duration.ofMillis(100));
        try {
            return new Pooled(configuration, address.toString());
        } catch (Exception failed) { // declared by Flink's constructor
            throw new IllegalStateException("no REST client for " + address, failed);
        }
    }

    private static final class Pooled extends RestClusterClient<String> {
        Pooled(Configuration configuration, String clusterId) throws Exception {
            super(configuration, clusterId);
        }

        @Override
        public void close() {
            // Handed out again for the next request.
        }

        void reallyClose() {
            super.close();
        }
    }
}
