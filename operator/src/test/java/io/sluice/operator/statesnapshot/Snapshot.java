// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Limits;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A snapshot as a test brings it into a situation, one step after the other. */
record Snapshot(SnapshotObservedState observed) {
    static final Instant CREATED = Instant.parse("2026-03-01T12:00:00Z");
    static final Instant JOB_CHANGE = Instant.parse("2026-03-01T11:00:00Z");
    static final String JOB = "000000000000000000000000000000aa";
    static final SnapshotTarget.Up UP = new SnapshotTarget.Up(JOB, "attempt-1", JOB_CHANGE);
    static final SnapshotTarget.Up ANOTHER =
            new SnapshotTarget.Up("000000000000000000000000000000bb", "attempt-2", JOB_CHANGE);
    static final Duration JOB_WAIT = Duration.ofMinutes(10);
    static final Duration CLEANUP = Duration.ofMinutes(5);

    private static final String OF_JOB = "jobReference: {kind: FlinkDeployment, name: orders}";

    static Snapshot aSavepoint() {
        return of("{" + OF_JOB + ", savepoint: {}}");
    }

    static Snapshot aCheckpoint() {
        return of("{" + OF_JOB + ", checkpoint: {}}");
    }

    static Snapshot aRegistration() {
        return of("{savepoint: {alreadyExists: true, path: 's3://b/s-1'}}");
    }

    /** In YAML. */
    static Snapshot of(String spec) {
        return new Snapshot(
                new SnapshotObservedState(
                        new SnapshotObservedState.Identity("uid-1", 1, CREATED, false),
                        spec(spec),
                        Optional.empty(),
                        FlinkStateSnapshotStatus.NEW,
                        Map.of(),
                        false,
                        UP,
                        new JobOptions(Optional.of("s3://b/savepoints"), true),
                        Optional.of(URI.create("http://orders-rest.shop:8081")),
                        new AsyncResult.NotAsked(),
                        new DisposalResult.NotAsked(),
                        new Need.NotNeeded(),
                        new Limits(JOB_WAIT, CLEANUP),
                        SnapshotRetention.Siblings.NONE,
                        new Polls(Duration.ofMinutes(1), Duration.ofSeconds(10)),
                        CREATED));
    }

    SnapshotDecision decide() {
        return SnapshotDecider.decide(observed);
    }

    /** As after a reconciliation whose status was stored and whose actions were performed. */
    Snapshot decided() {
        SnapshotDecision decision = decide();
        ObjectNode stored =
                SnapshotStatusRenderer.status(
                        observed,
                        decision,
                        observed.status().onto(JsonNodeFactory.instance.objectNode()));
        Snapshot next = withStatus(FlinkStateSnapshotStatus.of(stored));
        for (SnapshotAction action : decision.actions()) {
            if (action instanceof SnapshotAction.Mark(var labels, var isHeld)) {
                next = next.marked(labels, isHeld);
            }
        }
        return next;
    }

    private Snapshot marked(Map<String, String> labels, boolean isHeld) {
        Map<String, String> all = new java.util.HashMap<>(observed.labels());
        all.putAll(labels);
        return new Snapshot(observed.with().labels(all).isHeld(isHeld).build());
    }

    /** Flink was asked for the first try. */
    Snapshot asked() {
        return with(UP).decided();
    }

    /** The savepoint is complete. */
    Snapshot completed() {
        return asked().answering(done("s3://b/savepoints/savepoint-1")).decided();
    }

    Snapshot with(SnapshotTarget target) {
        return new Snapshot(observed.withTarget(target));
    }

    Snapshot answering(AsyncResult answer) {
        return new Snapshot(observed.withAnswer(answer));
    }

    Snapshot disposing(DisposalResult disposal) {
        return new Snapshot(observed.withDisposal(disposal));
    }

    Snapshot needed(Need need) {
        return new Snapshot(observed.withNeed(need));
    }

    Snapshot labelled(String key, String value) {
        return marked(Map.of(key, value), observed.isHeld());
    }

    Snapshot held() {
        return new Snapshot(observed.withIsHeld(true));
    }

    Snapshot with(JobOptions options) {
        return new Snapshot(observed.withJob(options));
    }

    Snapshot withSpec(String spec) {
        return new Snapshot(observed.withSpec(spec(spec)));
    }

    /** With so many tries after the first one. */
    Snapshot withLimit(int backoffLimit) {
        return withSpec("{" + OF_JOB + ", savepoint: {}, backoffLimit: " + backoffLimit + "}");
    }

    Snapshot objected(Reason reason, String problem) {
        return new Snapshot(
                observed.withObjection(
                        Optional.of(new SpecView.Invalid(reason, List.of(problem)))));
    }

    Snapshot withStatus(FlinkStateSnapshotStatus status) {
        return new Snapshot(observed.withStatus(status));
    }

    Snapshot in(SnapshotState state) {
        return withStatus(observed.status().withState(state));
    }

    Snapshot deleted() {
        return new Snapshot(observed.withIdentity(observed.identity().withDeleting(true)));
    }

    Snapshot at(Instant now) {
        return new Snapshot(observed.withNow(now));
    }

    Snapshot with(SnapshotRetention.Siblings siblings) {
        return new Snapshot(observed.withSiblings(siblings));
    }

    Snapshot later(Duration time) {
        return new Snapshot(observed.withNow(observed.now().plus(time)));
    }

    Snapshot waitingForJob(Duration jobWait) {
        return new Snapshot(observed.withLimits(new Limits(jobWait, CLEANUP)));
    }

    static AsyncResult done(String location) {
        return new AsyncResult.Done(Optional.of(location));
    }

    static AsyncResult failed(String message) {
        return new AsyncResult.Failed(message);
    }

    static AsyncResult silent() {
        return new AsyncResult.Silent("timed out");
    }

    static SnapshotTarget busy() {
        return new SnapshotTarget.Busy(SnapshotTarget.With.UPGRADE);
    }

    private static FlinkStateSnapshotSpec spec(String yaml) {
        try {
            return FlinkStateSnapshotSpec.parse(new YAMLMapper().readTree(yaml), "spec").value();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
