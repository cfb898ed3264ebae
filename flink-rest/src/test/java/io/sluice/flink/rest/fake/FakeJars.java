// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.request.RunRequest;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The jars a {@link FakeCluster} has on its disk. Every {@code main()} submits one job. */
final class FakeJars {
    private final Map<String, JarUpload> jars = new ConcurrentHashMap<>();
    private final List<RunRequest> runs = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();
    private int uploads;
    private boolean losing;

    synchronized Reply<String> upload(JarUpload upload) {
        if (!Files.isReadable(upload.jar())) {
            return new Reply.Unreachable<>("the file to upload is gone");
        }
        String id = ++uploads + "_" + upload.name();
        jars.put(id, upload);
        return new Reply.Ok<>(id);
    }

    synchronized void refuse(Optional<String> why) {
        refusal = why;
    }

    synchronized void loseARun() {
        losing = true;
    }

    synchronized List<RunRequest> runs() {
        return List.copyOf(runs);
    }

    synchronized Reply<Submission> run(FakeCluster cluster, String jarId, RunRequest request) {
        if (losing) {
            losing = false;
            return new Reply.Unreachable<>("the connection was reset");
        }
        if (!jars.containsKey(jarId)) {
            return new Reply.Ok<>(Submission.NO_SUCH_JAR);
        }
        if (refusal.isPresent()) {
            return new Reply.Refused<>(400, refusal.get());
        }
        if (cluster.isKnown(request.jobId())) {
            return new Reply.Ok<>(Submission.KNOWN_ALREADY);
        }
        runs.add(request);
        int parallelism = request.parallelism().orElse(1);
        cluster.run(
                request.jobId(),
                "fake",
                new JobVertex("01", "Source: load", parallelism, 4, "RUNNING"),
                new JobVertex("02", "work", parallelism, 4, "RUNNING"));
        return new Reply.Ok<>(Submission.SUBMITTED);
    }

    synchronized Reply<Accepted> delete(String jarId) {
        return jars.remove(jarId) == null
                ? new Reply.Refused<>(400, "File " + jarId + " does not exist")
                : new Reply.Ok<>(Accepted.ACCEPTED);
    }

    synchronized int size() {
        return jars.size();
    }

    /** A new process has an empty disk. */
    synchronized void clear() {
        jars.clear();
    }
}
