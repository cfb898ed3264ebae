// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.LoopbackPort.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A JobManager that does what Flink does, at once. */
public final class OrdinaryCluster implements LoopbackPort.Answering {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern JOB = Pattern.compile("/jobs/([0-9a-f]{32})(/[^?]*)?");
    private static final String NOT_FOUND = "{\"errors\":[\"Not found.\"]}";

    private final String name;
    private final EffectLog effects;
    private final Map<String, OrdinaryJob> jobs = new ConcurrentHashMap<>();

    public OrdinaryCluster(String name, Optional<String> jobId, EffectLog effects) {
        this.name = name;
        this.effects = effects;
        jobId.ifPresent(id -> jobs.put(id, new OrdinaryJob(id)));
    }

    @Override
    public void answer(Request request, OutputStream out) throws IOException {
        String path = request.path().replaceFirst("\\?.*", "");
        Optional<String> body = request.reads() ? read(request, path) : change(request, path);
        int found = request.reads() ? 200 : 202;
        LoopbackPort.json(out, body.isPresent() ? found : 404, body.orElse(NOT_FOUND));
    }

    private Optional<String> read(Request request, String path) {
        return switch (path) {
            case "/jobs/overview" -> {
                effects.operatorLooked(name);
                yield Optional.of(
                        jobs.values().stream()
                                .map(OrdinaryJob::overview)
                                .collect(Collectors.joining(",", "{\"jobs\":[", "]}")));
            }
            case "/config" ->
                    Optional.of("{\"flink-version\":\"1.20.5\",\"flink-revision\":\"e1d9c1e\"}");
            case "/taskmanagers" -> Optional.of("{\"taskmanagers\":[{},{}]}");
            case "/taskmanagers/metrics", "/jobmanager/metrics" ->
                    jobs.values().stream()
                            .findFirst()
                            .map(job -> job.metrics(query(request), path.startsWith("/jobm")));
            default -> ofJob(path).flatMap(found -> read(request, found));
        };
    }

    private Optional<String> read(Request request, Found found) {
        OrdinaryJob job = found.job();
        return switch (found.rest()) {
            case "" -> Optional.of(job.details());
            case "/exceptions" ->
                    Optional.of("{\"exceptionHistory\":{\"entries\":[],\"truncated\":false}}");
            case "/checkpoints" -> Optional.of(job.checkpoints());
            case "/resource-requirements" -> Optional.of(job.requirements());
            case String metrics when metrics.endsWith("metrics") -> {
                effects.autoscalerLooked(name);
                yield Optional.of(job.metrics(query(request), false));
            }
            case String savepoint when savepoint.startsWith("/savepoints/") ->
                    Optional.of(job.savepoint());
            default -> Optional.empty();
        };
    }

    private Optional<String> change(Request request, String path) throws IOException {
        if (path.equals("/jars/upload")) {
            return Optional.of("{\"filename\":\"/tmp/web/siege.jar\",\"status\":\"success\"}");
        }
        if (path.endsWith("/run")) {
            return Optional.of(run(JSON.readTree(request.body())));
        }
        if (path.startsWith("/jars/")) {
            return Optional.of("{}");
        }
        Optional<Found> found = ofJob(path);
        return found.isPresent() ? change(request, found.get()) : Optional.empty();
    }

    private Optional<String> change(Request request, Found found) throws IOException {
        return switch (found.rest()) {
            case "/stop" -> {
                ended(found.job(), "FINISHED", Effect.STOPPED);
                yield Optional.of("{\"request-id\":\"0\"}");
            }
            case "" -> {
                ended(found.job(), "CANCELED", Effect.CANCELLED);
                yield Optional.of("{}");
            }
            case "/resource-requirements" -> {
                JSON.readTree(request.body())
                        .properties()
                        .forEach(
                                vertex ->
                                        found.job()
                                                .scale(
                                                        vertex.getKey(),
                                                        vertex.getValue()
                                                                .at("/parallelism/upperBound")
                                                                .asInt()));
                effects.saw(Effect.SCALED, name);
                yield Optional.of("{}");
            }
            default -> Optional.empty();
        };
    }

    private void ended(OrdinaryJob job, String state, Effect effect) {
        if (job.end(state)) {
            effects.saw(effect, name);
        }
    }

    /** The last of its arguments is the session job's name. */
    private String run(JsonNode request) {
        String id = request.path("jobId").asText();
        jobs.putIfAbsent(id, new OrdinaryJob(id));
        JsonNode arguments = request.path("programArgsList");
        effects.saw(Effect.SUBMITTED, arguments.path(arguments.size() - 1).asText());
        return "{\"jobid\":\"" + id + "\"}";
    }

    private record Found(OrdinaryJob job, String rest) {}

    private Optional<Found> ofJob(String path) {
        Matcher matcher = JOB.matcher(path);
        return matcher.matches()
                ? Optional.ofNullable(jobs.get(matcher.group(1)))
                        .map(
                                job ->
                                        new Found(
                                                job,
                                                Optional.ofNullable(matcher.group(2)).orElse("")))
                : Optional.empty();
    }

    private static String query(Request request) {
        int at = request.path().indexOf('?');
        return at < 0 ? "" : java.net.URLDecoder.decode(request.path().substring(at + 1), UTF_8);
    }
}
