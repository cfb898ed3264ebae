// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.snapshot;

import static io.sluice.api.spec.StateKind.CHECKPOINT;
import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StateLog;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView.Snapshots;
import io.sluice.rules.config.Options;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotReaderTest {
    private static final Instant CREATED = Instant.parse("2026-11-02T08:00:00Z");
    private static final JobView UP =
            new JobView.Seen(
                    JobState.RUNNING, SessionSnapshots.overview("job-1", JobState.RUNNING));

    private Instant now = CREATED;
    private final AtomicInteger calls = new AtomicInteger();
    private final InMemoryApiServer server = new InMemoryApiServer(1, () -> now);
    private final String namespace = server.newNamespace();
    private final SnapshotReader reader =
            new SnapshotReader(Optional.of(server.client()), new RefusedSnapshots());

    @Test
    void findsTheNewestPeriodicSavepointThatAnotherOperatorHasLeft() {
        create("older", "PERIODIC", SAVEPOINT, "orders", Duration.ofHours(1));
        create("newest", "PERIODIC", SAVEPOINT, "orders", Duration.ofHours(2));
        create("by-hand", "MANUAL", SAVEPOINT, "orders", Duration.ofHours(3));
        create("checkpoint", "PERIODIC", CHECKPOINT, "orders", Duration.ofHours(3));
        create("of-another", "PERIODIC", SAVEPOINT, "payments", Duration.ofHours(3));
        now = CREATED.plus(Duration.ofHours(4));

        assertThat(read(StateLog.EMPTY, UP).lastPeriodic())
                .isEqualTo(Map.of(SAVEPOINT, CREATED.plus(Duration.ofHours(2))));
    }

    @Test
    void asksNothingUnlessAPeriodicOneIsDueOfARunningJobThatHasNoneOnRecord() {
        create("newest", "PERIODIC", SAVEPOINT, "orders", Duration.ofMinutes(1));
        server.faults(
                _ -> {
                    calls.incrementAndGet();
                    return CallFault.NONE;
                });
        now = CREATED.plus(Duration.ofMinutes(59));
        read(StateLog.EMPTY, UP);
        now = CREATED.plus(Duration.ofHours(4));
        read(StateLog.EMPTY.withLastPeriodic(Optional.of(CREATED)), UP);
        read(StateLog.EMPTY, new JobView.NotListed());

        assertThat(calls).hasValue(0);
        assertThat(read(StateLog.EMPTY, UP).lastPeriodic()).isNotEmpty();
        assertThat(calls).hasValue(1);
    }

    private Snapshots read(StateLog savepoints, JobView job) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName("orders")
                        .withUid("uid-1")
                        .withCreationTimestamp(CREATED.toString())
                        .build());
        return reader.of(
                resource,
                JobLog.EMPTY.with(SAVEPOINT, savepoints),
                job,
                false,
                new Options(
                        new FlinkConfiguration(
                                Map.of("kubernetes.operator.periodic.savepoint.interval", "1 h"))),
                now);
    }

    private void create(String name, String type, StateKind kind, String job, Duration after) {
        now = CREATED.plus(after);
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", job);
        spec.putObject(kind.word());
        FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
        snapshot.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .addToLabels(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, type)
                        .build());
        snapshot.setSpec(spec);
        server.client().resource(snapshot).create();
    }
}
