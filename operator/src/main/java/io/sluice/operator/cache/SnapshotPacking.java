// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.json.Deflated;
import io.sluice.process.cache.PackedStore;

/**
 * Packs FlinkStateSnapshots, without {@code managedFields}: there may be ten of each job, they are
 * small, and nearly all of them differ in names, ids and times only. One that is complete takes
 * some 250 bytes, where {@link ResourcePacking}, which keeps metadata beside the rest, takes 1,200.
 */
public record SnapshotPacking() implements PackedStore.Packing<FlinkStateSnapshot, byte[]> {
    /** As the API server orders the fields of a complete one. Any text would do, at a cost. */
    private static final Deflated.Like TYPICAL =
            new Deflated.Like(
                    """
                    {"type":"UPGRADE","alreadyExists":true,"checkpoint":{},"state":"ABANDONED","FAILED",\
                    "formatType":"NATIVE","error":"The job is suspended.","kind":"FlinkSessionJob",\
                    "snapshot.trigger-type":"MANUAL","snapshot.type":"CHECKPOINT","jobId":"jobChange":\
                    {"apiVersion":"flink.apache.org/v1beta1","kind":"FlinkStateSnapshot","metadata":\
                    {"creationTimestamp":"2026-11-27T18:00:00Z","finalizers":\
                    ["flinkstatesnapshots.flink.apache.org/finalizer"],"generation":1,"labels":\
                    {"job-reference.kind":"FlinkDeployment","job-reference.name":"orders",\
                    "snapshot.state":"COMPLETED","snapshot.trigger-type":"PERIODIC",\
                    "snapshot.type":"SAVEPOINT"},"name":"orders-savepoint-periodic-17640",\
                    "namespace":"default","resourceVersion":"1","uid":"0"},"spec":{"backoffLimit":0,\
                    "jobReference":{"kind":"FlinkDeployment","name":"orders"},"savepoint":\
                    {"alreadyExists":false,"disposeOnDelete":false,"formatType":"CANONICAL"}},\
                    "status":{"attempt":{"id":"","jobChange":"2026-11-27T18:00:00.000Z","jobId":"",\
                    "restarts":0,"tries":0},"conditions":[{"lastTransitionTime":\
                    "2026-11-27T18:00:00.000Z","message":"The snapshot is complete.",\
                    "observedGeneration":1,"reason":"SnapshotCompleted","status":"True",\
                    "type":"Ready"},{"lastTransitionTime":"2026-11-27T18:00:00.000Z","message":\
                    "The snapshot is complete.","observedGeneration":1,"reason":"SnapshotCompleted",\
                    "status":"False","type":"Reconciling"},{"lastTransitionTime":\
                    "2026-11-27T18:00:00.000Z","message":"The snapshot is complete.",\
                    "observedGeneration":1,"reason":"SnapshotCompleted","status":"False",\
                    "type":"Stalled"}],"failures":0,"observedGeneration":1,"path":"s3://savepoint-",\
                    "resultTimestamp":"2026-11-27T18:00:00.000Z","state":"COMPLETED","triggerId":"",\
                    "triggerTimestamp":"2026-11-27T18:00:00.000Z"}}\
                    """);

    record MetadataOnly(ObjectMeta metadata) {}

    /** A store that keeps all of a FlinkStateSnapshot. */
    public static PackedStore<FlinkStateSnapshot, ?> store() {
        return new PackedStore<>(new SnapshotPacking());
    }

    @Override
    public FlinkStateSnapshot empty() {
        return new FlinkStateSnapshot();
    }

    @Override
    public byte[] pack(FlinkStateSnapshot resource) {
        var kept = new FlinkStateSnapshot();
        kept.setMetadata(new ObjectMetaBuilder(resource.getMetadata()).withManagedFields().build());
        kept.setSpec(resource.getSpec());
        kept.setStatus(resource.getStatus());
        return TYPICAL.of(kept);
    }

    /** A reconciliation that waits for its turn holds the metadata only. */
    @Override
    public FlinkStateSnapshot unpack(String key, byte[] packed) {
        var item = new FlinkStateSnapshot();
        item.setMetadata(TYPICAL.read(packed, MetadataOnly.class).metadata());
        item.readLater(() -> TYPICAL.read(packed, FlinkStateSnapshot.class));
        return item;
    }

    @Override
    public boolean isWhole() {
        return true;
    }
}
