// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.sluice.api.FlinkStateSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotPackingTest {
    private static final String KEY = "risk/fraud-scoring-eu-savepoint-periodic-1764785561123";

    private final SnapshotPacking packing = new SnapshotPacking();

    @Test
    void givesBackAllOfASnapshotButManagedFields() throws IOException {
        FlinkStateSnapshot resource = complete();
        resource.getMetadata().getManagedFields().add(new ManagedFieldsEntry());

        FlinkStateSnapshot unpacked = packing.unpack(KEY, packing.pack(resource));

        assertThat(unpacked.getMetadata().getManagedFields()).isEmpty();
        assertThat(resource.getMetadata().getManagedFields()).hasSize(1);
        resource.getMetadata().setManagedFields(List.of());
        assertThat(unpacked.getMetadata()).isEqualTo(resource.getMetadata());
        assertThat(unpacked.getSpec()).isEqualTo(resource.getSpec());
        assertThat(unpacked.getStatus()).isEqualTo(resource.getStatus());
    }

    /** With 100,000 of them, each of these bytes is 100 KB of heap. */
    @Test
    void takesLittleForACompleteSnapshot() throws IOException {
        assertThat(packing.pack(complete())).hasSizeLessThan(300);
    }

    @Test
    void givesBackWhatIsUnlikeAnyOther() throws IOException {
        FlinkStateSnapshot resource = complete();
        resource.getMetadata().setAnnotations(Map.of("note", "ü".repeat(70_000)));
        resource.getSpec().putArray("unknown").add(1).add("two");
        resource.setStatus(resource.getStatus().removeAll());

        FlinkStateSnapshot unpacked = packing.unpack(KEY, packing.pack(resource));

        assertThat(unpacked.getMetadata()).isEqualTo(resource.getMetadata());
        assertThat(unpacked.getSpec()).isEqualTo(resource.getSpec());
        assertThat(unpacked.getStatus()).isEmpty();
    }

    @Test
    void aStoreTellsOfWhatIsRemovedFromIt() throws IOException {
        List<String> removed = new ArrayList<>();
        var store = SnapshotPacking.store();
        store.listenToRemovals(gone -> removed.add(gone.getMetadata().getUid()));

        store.put(KEY, complete());
        store.put(KEY, complete());
        store.remove("risk/another");
        assertThat(removed).isEmpty();

        store.remove(KEY);
        assertThat(removed).containsExactly("7c2b9a54-1f0e-4d3b-9a77-0c55f1e2d9ab");
    }

    private static FlinkStateSnapshot complete() throws IOException {
        String yaml =
                """
                metadata:
                  creationTimestamp: "2026-12-03T08:12:41Z"
                  generation: 1
                  labels:
                    job-reference.kind: FlinkDeployment
                    job-reference.name: fraud-scoring-eu
                    snapshot.state: COMPLETED
                    snapshot.trigger-type: PERIODIC
                    snapshot.type: SAVEPOINT
                  name: fraud-scoring-eu-savepoint-periodic-1764785561123
                  namespace: risk
                  resourceVersion: "184467"
                  uid: 7c2b9a54-1f0e-4d3b-9a77-0c55f1e2d9ab
                spec:
                  backoffLimit: 0
                  jobReference: {kind: FlinkDeployment, name: fraud-scoring-eu}
                  savepoint: {disposeOnDelete: false, formatType: CANONICAL}
                status:
                  attempt:
                    id: 5f0f6a1c22f8
                    jobChange: "2026-12-01T09:30:11.332Z"
                    jobId: a5d1c0e7b83f4f0e9a1b2c3d4e5f6071
                    restarts: 0
                    tries: 0
                  conditions:
                    - lastTransitionTime: "2026-12-03T08:13:02.114Z"
                      message: s3://savepoints/fraud/savepoint-a5d1c0-7be0f1a2c3d4
                      observedGeneration: 1
                      reason: SnapshotCompleted
                      status: "True"
                      type: Ready
                    - lastTransitionTime: "2026-12-03T08:13:02.114Z"
                      message: The snapshot is complete.
                      observedGeneration: 1
                      reason: SnapshotCompleted
                      status: "False"
                      type: Reconciling
                  failures: 0
                  observedGeneration: 1
                  path: s3://savepoints/fraud/savepoint-a5d1c0-7be0f1a2c3d4
                  resultTimestamp: "2026-12-03T08:13:02.114Z"
                  state: COMPLETED
                  triggerId: 9d3a0e5c77aa4c11b0d2f3e4a5b6c7d8
                  triggerTimestamp: "2026-12-03T08:12:42.001Z"
                """;
        return new YAMLMapper().readValue(yaml, FlinkStateSnapshot.class);
    }
}
