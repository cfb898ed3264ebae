// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.testkit.RunningApiServer;
import io.sluice.testkit.StoredResources;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * FlinkStateSnapshots as the operator would leave them, ten for each job: copies of one that it did
 * complete, with its labels, its finalizer and its status, each with a path, a trigger id and times
 * of its own. Done while no operator runs.
 */
record SnapshotPlanting(StoredResources stored, FlinkStateSnapshot model) {
    /** Of each job, oldest first. Those without a word were made by hand. */
    private static final List<String> MADE_FOR =
            List.of(
                    "upgrade",
                    "periodic",
                    "",
                    "periodic",
                    "manual",
                    "periodic",
                    "upgrade",
                    "",
                    "periodic",
                    "periodic");

    /** How many snapshots each job gets. */
    static final int EACH = MADE_FOR.size();

    /** Jobs. */
    private static final int AT_ONCE = 100;

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final String MODEL = "by-hand";

    /** Has the running operator complete one snapshot of the job {@code name}. */
    static SnapshotPlanting of(RunningApiServer api, String namespace, String name) {
        var resource = new FlinkStateSnapshot();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(MODEL).build());
        resource.setSpec(spec(name, "", ""));
        var created = api.client().resource(resource);
        created.create();
        boolean isComplete = Waits.reaches(() -> isComplete(created.get()), LONGEST);
        if (!isComplete) {
            throw new IllegalStateException("the operator has completed no snapshot");
        }
        FlinkStateSnapshot model = created.get();
        created.delete();
        if (!Waits.reaches(() -> created.get() == null, LONGEST)) {
            throw new IllegalStateException("the operator has let go of no snapshot");
        }
        return new SnapshotPlanting(api.stored(), model);
    }

    /** Its labels follow its status. */
    private static boolean isComplete(FlinkStateSnapshot snapshot) {
        return Optional.ofNullable(snapshot.getMetadata().getLabels())
                .orElseGet(Map::of)
                .getOrDefault(FlinkStateSnapshot.STATE_LABEL, "")
                .equals("COMPLETED");
    }

    /** Ten for each of the jobs from {@code from} on. */
    void plant(int from, int to) throws IOException {
        for (int i = from; i < to; i += AT_ONCE) {
            stored.put(
                    IntStream.range(i, Math.min(to, i + AT_ONCE))
                            .mapToObj(Names::of)
                            .flatMap(this::ofJob)
                            .toList());
        }
    }

    private Stream<FlinkStateSnapshot> ofJob(String job) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return IntStream.range(0, EACH)
                .mapToObj(
                        i -> snapshot(job, MADE_FOR.get(i), now.minus(Duration.ofHours(EACH - i))));
    }

    private FlinkStateSnapshot snapshot(String job, String madeFor, Instant when) {
        String path = "s3://savepoints/orders/savepoint-" + random(6) + "-" + random(12);
        var resource = new FlinkStateSnapshot();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(model.getMetadata().getNamespace())
                        .withName(name(job, madeFor, when))
                        .withLabels(labels(job, madeFor))
                        .withFinalizers(
                                madeFor.isEmpty() ? model.getMetadata().getFinalizers() : List.of())
                        .build());
        resource.setSpec(spec(job, madeFor, path));
        resource.setStatus(status(path, when));
        return resource;
    }

    private static String name(String job, String madeFor, Instant when) {
        return madeFor.isEmpty()
                ? job + "-before-" + when.toEpochMilli()
                : job + "-savepoint-" + madeFor + "-" + when.toEpochMilli();
    }

    private Map<String, String> labels(String job, String madeFor) {
        Map<String, String> labels = new TreeMap<>(model.getMetadata().getLabels());
        labels.put(FlinkStateSnapshot.JOB_NAME_LABEL, job);
        if (!madeFor.isEmpty()) {
            labels.put(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, madeFor.toUpperCase(Locale.ROOT));
        }
        return labels;
    }

    private ObjectNode status(String path, Instant when) {
        String former = model.getStatus().path("path").asText();
        ObjectNode status = model.getStatus().deepCopy();
        status.put("path", path);
        for (JsonNode condition : status.withArray("conditions")) {
            String message = condition.path("message").asText().replace(former, path);
            ((ObjectNode) condition).put("message", message);
        }
        status.put("triggerId", random(32));
        status.put("triggerTimestamp", when.toString());
        status.put("resultTimestamp", when.plusSeconds(20).toString());
        return status;
    }

    /** One made for an upgrade only registers what the job has left. */
    private static ObjectNode spec(String job, String madeFor, String path) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", job);
        ObjectNode savepoint = spec.putObject("savepoint");
        savepoint.put("formatType", "CANONICAL");
        savepoint.put("disposeOnDelete", madeFor.isEmpty());
        if (madeFor.equals("upgrade")) {
            savepoint.put("alreadyExists", true).put("path", path);
        }
        return spec.put("backoffLimit", madeFor.isEmpty() ? -1 : 0);
    }

    private static String random(int digits) {
        return UUID.randomUUID().toString().replace("-", "").substring(0, digits);
    }
}
