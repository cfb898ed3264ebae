// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A real Flink in this process, seen through its REST API as an autoscaler sees it. */
final class LocalFlink {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final MiniCluster cluster;
    private final HttpClient http = HttpClient.newHttpClient();

    LocalFlink() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofMillis(500));
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        cluster.start();
    }

    MiniCluster cluster() {
        return cluster;
    }

    /** How many records came to that vertex of a job that has ended. */
    long received(JobID job, String vertex) throws Exception {
        return vertex(job, vertex).at("/metrics/read-records").asLong();
    }

    /**
     * A metric, summed up over the subtasks of the vertex whose name begins like this; what is not
     * there yet fails as an assertion, to be tried again.
     */
    double sum(JobID job, String vertex, String metric) throws Exception {
        JsonNode values = get(metricPath(job, vertex(job, vertex).path("id").asText(), metric));
        if (values.path(0).path("sum").isNumber()) {
            return values.path(0).path("sum").asDouble();
        }
        throw new AssertionError("no metric " + metric + " of vertex " + vertex + " yet");
    }

    private JsonNode vertex(JobID job, String name) throws Exception {
        return get("/jobs/" + job)
                .path("vertices")
                .valueStream()
                .filter(some -> some.path("name").asText().startsWith(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no vertex " + name + " yet"));
    }

    private static String metricPath(JobID job, String vertexId, String metric) {
        return "/jobs/%s/vertices/%s/subtasks/metrics?get=%s&agg=sum"
                .formatted(job, vertexId, metric);
    }

    private JsonNode get(String path) throws Exception {
        URI uri = cluster.getRestAddress().get(10, TimeUnit.SECONDS).resolve(path);
        var reply = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException(uri + " answered " + reply.statusCode() + ": " + reply.body());
        }
        return JSON.readTree(reply.body());
    }

    void stop() throws Exception {
        cluster.close();
    }
}
