// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.spec.FlinkVersion;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code status.attempt}, Sluice's own: which Deployment is the resource's, and how its end is
 * being brought about.
 *
 * @param id what the Deployment is annotated with; empty if no Sluice ever made one
 * @param stop empty while nobody is bringing the job to an end
 * @param lastCheckpoint the last one that was seen of the job when the status was written; a hint
 *     for people, should its state be lost: nothing is ever started from it by itself
 * @param rolledBack whether the attempt runs the last stable spec instead of the last reconciled
 *     one
 * @param jar of a session job: which uploaded jar it was asked to be run from, recorded before the
 *     asking and removed once that is settled; as long as it is there nobody knows whether the job
 *     will turn up
 * @param startsEmpty whether it is known that there is no state to start from; an empty {@code
 *     jobStatus.upgradeSavepointPath} alone does not say so: it may have been lost
 * @param beganEmpty whether the attempt was started from nothing; unlike {@code startsEmpty} it
 *     stays when a run of the job has been seen. A job that makes no checkpoints tells of no state,
 *     whatever it was restored from
 * @param startedWith what the last cluster of the resource was started with; empty before the first
 *     one, and of one that another operator started
 * @param replaced the job that a redeployment put another one in the place of, until that has
 *     proven itself; empty otherwise
 * @param interruption since when the job is down for an upgrade; empty while it is not
 */
@RecordBuilder
public record AttemptStatus(
        Optional<String> id,
        Optional<StopStatus> stop,
        Optional<SeenCheckpoint> lastCheckpoint,
        boolean rolledBack,
        Optional<String> jar,
        boolean startsEmpty,
        boolean beganEmpty,
        Optional<StartedWith> startedWith,
        Optional<ReplacedJob> replaced,
        Optional<Interruption> interruption)
        implements AttemptStatusBuilder.With {
    public static final AttemptStatus NONE = AttemptStatusBuilder.builder().build();

    /**
     * A checkpoint as somebody saw it.
     *
     * @param path where it is
     * @param at when it was complete; empty if that was not told
     */
    public record SeenCheckpoint(String path, Optional<Instant> at) {
        static Optional<SeenCheckpoint> read(Fields fields) {
            return fields.string("lastCheckpoint")
                    .map(
                            path ->
                                    new SeenCheckpoint(
                                            path,
                                            fields.string("lastCheckpointTime")
                                                    .flatMap(StatusJson::instant)));
        }

        static void write(ObjectNode node, Optional<SeenCheckpoint> seen) {
            StatusJson.put(node, "lastCheckpoint", seen.map(SeenCheckpoint::path));
            StatusJson.put(
                    node,
                    "lastCheckpointTime",
                    seen.flatMap(SeenCheckpoint::at).map(Instant::toString));
        }
    }

    /**
     * What a cluster was started with, as far as the state of its job hangs on it: the operator's
     * defaults may change while it runs.
     *
     * @param flinkVersion the version that writes its high-availability metadata
     * @param options those that hold from the start of a JobManager on; one that is not in there
     *     was not set
     */
    public record StartedWith(Optional<FlinkVersion> flinkVersion, Map<String, String> options) {
        public StartedWith {
            options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        }

        static StartedWith read(Fields fields) {
            return new StartedWith(
                    fields.choice("flinkVersion", FlinkVersion.WORDS), fields.stringMap("options"));
        }

        void writeTo(ObjectNode node) {
            StatusJson.put(node, "flinkVersion", flinkVersion.map(FlinkVersion::wire));
            ObjectNode written = node.putObject("options");
            new TreeMap<>(options).forEach(written::put);
        }
    }

    /**
     * A job that made way for a savepoint that the user named, without one of its own.
     *
     * @param jobId its id, by which high-availability metadata know it
     * @param startedWith what its cluster was started with
     * @param lastCheckpoint the last state of it that was seen; a younger one may exist
     * @param redeployNonce the {@code spec.job.savepointRedeployNonce} of its spec
     */
    public record ReplacedJob(
            String jobId,
            Optional<StartedWith> startedWith,
            Optional<SeenCheckpoint> lastCheckpoint,
            Optional<Long> redeployNonce) {
        static ReplacedJob read(Fields fields) {
            return new ReplacedJob(
                    fields.string("jobId").orElse(""),
                    fields.object("startedWith", StartedWith::read),
                    SeenCheckpoint.read(fields),
                    fields.int64("redeployNonce"));
        }

        void writeTo(ObjectNode node) {
            node.put("jobId", jobId);
            redeployNonce.ifPresent(nonce -> node.put("redeployNonce", nonce));
            startedWith.ifPresent(it -> it.writeTo(node.putObject("startedWith")));
            SeenCheckpoint.write(node, lastCheckpoint);
        }
    }

    /**
     * The attempt after this one: nothing of this one but what its cluster was started with, the
     * job that it replaced, and since when the job is down, holds on.
     */
    public AttemptStatus next(
            String nextId,
            Optional<SeenCheckpoint> seen,
            boolean rollsBack,
            boolean isKnownToBeEmpty) {
        return AttemptStatusBuilder.builder()
                .id(Optional.of(nextId))
                .lastCheckpoint(seen)
                .rolledBack(rollsBack)
                .startsEmpty(isKnownToBeEmpty)
                .beganEmpty(isKnownToBeEmpty)
                .startedWith(startedWith)
                .replaced(replaced)
                .interruption(interruption)
                .build();
    }

    static AttemptStatus read(Fields fields) {
        return new AttemptStatus(
                fields.string("id"),
                fields.object("stop", StopStatus::read).flatMap(stop -> stop),
                SeenCheckpoint.read(fields),
                fields.bool("rolledBack").orElse(false),
                fields.string("jar"),
                fields.bool("startsEmpty").orElse(false),
                fields.bool("beganEmpty").orElse(false),
                fields.object("startedWith", StartedWith::read),
                fields.object("replaced", ReplacedJob::read),
                fields.object("interruption", Interruption::read).flatMap(read -> read));
    }

    void writeOnto(ObjectNode status) {
        if (equals(NONE)) {
            status.remove("attempt");
            return;
        }
        ObjectNode node = status.putObject("attempt");
        StatusJson.put(node, "id", id);
        SeenCheckpoint.write(node, lastCheckpoint);
        StatusJson.put(node, "jar", jar);
        stop.ifPresent(it -> it.writeTo(node.putObject("stop")));
        if (rolledBack) {
            node.put("rolledBack", true);
        }
        if (startsEmpty) {
            node.put("startsEmpty", true);
        }
        if (beganEmpty) {
            node.put("beganEmpty", true);
        }
        startedWith.ifPresent(it -> it.writeTo(node.putObject("startedWith")));
        replaced.ifPresent(it -> it.writeTo(node.putObject("replaced")));
        interruption.ifPresent(it -> it.writeTo(node.putObject("interruption")));
    }
}
