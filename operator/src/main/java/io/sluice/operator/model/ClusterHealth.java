// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How well a job does: its counters against those of a while ago (docs/contract/reconciler.md,
 * section 10). On the wire it is {@code status.clusterInfo.ClusterHealthInfo}, a JSON string.
 *
 * @param restarts Flink's count at {@code restartsSince}, rescales left out
 * @param checkpointsSince when {@code checkpoints} was last seen to grow
 * @param finding what is wrong; empty while nothing is
 */
public record ClusterHealth(
        Instant at,
        long restarts,
        Instant restartsSince,
        long checkpoints,
        Instant checkpointsSince,
        Optional<String> finding) {
    public static final String KEY = "ClusterHealthInfo";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Two counters of Flink's, read at one time. */
    public record Counters(long restarts, long checkpoints) {}

    /**
     * The thresholds of a job's health, by {@code kubernetes.operator.cluster.health-check.*}
     * (docs/contract/reconciler.md, section 10, and docs/contract/configuration.md, section 3).
     *
     * @param restartWindow over which restarts are counted
     * @param mostRestarts in that window; one more is unhealthy
     * @param checkpointWindow without a new checkpoint that is unhealthy; empty if checkpoints are
     *     not looked at
     */
    public record Thresholds(
            boolean enabled,
            Duration restartWindow,
            int mostRestarts,
            Optional<Duration> checkpointWindow) {
        public static Thresholds of(Options running) {
            return new Thresholds(
                    running.get(LifecycleOptions.HEALTH_CHECK),
                    running.get(LifecycleOptions.RESTARTS_WINDOW),
                    running.get(LifecycleOptions.RESTARTS_THRESHOLD),
                    running.get(LifecycleOptions.CHECKPOINT_PROGRESS)
                            ? checkpoints(running)
                            : Optional.empty());
        }

        /**
         * Never shorter than checkpoints that are tolerated to fail may take: {@code max(interval,
         * timeout) * (tolerable failures + 2)}.
         */
        private static Optional<Duration> checkpoints(Options running) {
            Optional<Duration> asked = running.get(LifecycleOptions.CHECKPOINT_PROGRESS_WINDOW);
            Optional<Duration> interval = running.get(FlinkOptions.CHECKPOINT_INTERVAL);
            if (asked.isEmpty() && interval.isEmpty()) {
                return Optional.empty();
            }
            Duration timeout = running.get(FlinkOptions.CHECKPOINT_TIMEOUT);
            Duration longest = interval.filter(it -> it.compareTo(timeout) > 0).orElse(timeout);
            int tolerable = Math.max(0, running.get(FlinkOptions.TOLERABLE_FAILED_CHECKPOINTS));
            Duration least = longest.multipliedBy(tolerable + 2L);
            return Optional.of(asked.filter(it -> it.compareTo(least) >= 0).orElse(least));
        }
    }

    /** A first look: there is nothing to hold it against. */
    public static ClusterHealth first(Counters seen, Instant now) {
        return new ClusterHealth(
                now, seen.restarts(), now, seen.checkpoints(), now, Optional.empty());
    }

    public boolean isHealthy() {
        return finding.isEmpty();
    }

    /** Judged anew. A counter that fell belongs to another run, which begins as healthy. */
    public ClusterHealth next(Counters seen, Thresholds limits, Instant now) {
        if (seen.restarts() < restarts || seen.checkpoints() < checkpoints) {
            return first(seen, now);
        }
        Duration elapsed = Duration.between(restartsSince, now);
        boolean isOld = elapsed.compareTo(limits.restartWindow()) > 0;
        boolean grew = seen.checkpoints() > checkpoints;
        Instant since = grew ? now : checkpointsSince;
        Optional<String> finding =
                Stream.of(restarting(seen, limits, elapsed), stuck(since, limits, now))
                        .flatMap(Optional::stream)
                        .reduce((one, other) -> one + "|" + other);
        return new ClusterHealth(
                now,
                isOld ? seen.restarts() : restarts,
                isOld ? now : restartsSince,
                seen.checkpoints(),
                since,
                finding);
    }

    private Optional<String> restarting(Counters seen, Thresholds limits, Duration elapsed) {
        double share =
                elapsed.compareTo(limits.restartWindow()) <= 0
                        ? 1
                        : (double) limits.restartWindow().toMillis() / elapsed.toMillis();
        double counted = (seen.restarts() - restarts) * share;
        return counted > limits.mostRestarts()
                ? Optional.of(
                        "%.0f restarts within %d s, more than cluster.health-check.restarts.threshold: %d"
                                .formatted(
                                        counted,
                                        limits.restartWindow().toSeconds(),
                                        limits.mostRestarts()))
                : Optional.empty();
    }

    private static Optional<String> stuck(Instant since, Thresholds limits, Instant now) {
        return limits.checkpointWindow()
                .filter(window -> Duration.between(since, now).compareTo(window) > 0)
                .map(
                        window ->
                                "no checkpoint was completed for %d s, longer than %d s"
                                        .formatted(
                                                Duration.between(since, now).toSeconds(),
                                                window.toSeconds()));
    }

    public String encode() {
        ObjectNode node =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("timeStamp", at.toEpochMilli())
                        .put("numRestarts", restarts)
                        .put("numRestartsEvaluationTimeStamp", restartsSince.toEpochMilli())
                        .put("numCompletedCheckpoints", checkpoints)
                        .put(
                                "numCompletedCheckpointsIncreasedTimeStamp",
                                checkpointsSince.toEpochMilli());
        ObjectNode result = node.putObject("healthResult").put("healthy", isHealthy());
        finding.ifPresent(text -> result.put("error", text));
        return node.toString();
    }

    /** Reads ours and the Apache operator's; empty if a number is missing. */
    public static Optional<ClusterHealth> decode(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            boolean complete =
                    Stream.of(
                                    "timeStamp",
                                    "numRestarts",
                                    "numRestartsEvaluationTimeStamp",
                                    "numCompletedCheckpoints",
                                    "numCompletedCheckpointsIncreasedTimeStamp")
                            .allMatch(field -> node.path(field).isIntegralNumber());
            if (!complete) {
                return Optional.empty();
            }
            return Optional.of(
                    new ClusterHealth(
                            instant(node, "timeStamp"),
                            node.path("numRestarts").longValue(),
                            instant(node, "numRestartsEvaluationTimeStamp"),
                            node.path("numCompletedCheckpoints").longValue(),
                            instant(node, "numCompletedCheckpointsIncreasedTimeStamp"),
                            finding(node.path("healthResult"))));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    private static Instant instant(JsonNode node, String field) {
        return Instant.ofEpochMilli(node.path(field).longValue());
    }

    private static Optional<String> finding(JsonNode result) {
        return result.path("healthy").asBoolean(true)
                ? Optional.empty()
                : Optional.of(result.path("error").asText("unhealthy"));
    }
}
