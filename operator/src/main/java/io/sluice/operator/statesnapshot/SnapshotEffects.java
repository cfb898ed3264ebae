// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.observe.ObservationMemory;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The effects on a real cluster.
 *
 * @param memory of the disposals that this process asked for
 */
record SnapshotEffects(
        KubernetesClient client, JobManagerEffects jobManagers, ObservationMemory memory) {
    /**
     * Performs one action.
     *
     * @param at where the job's JobManager answers; empty if there is none
     * @return whether it was performed; if the resource has changed since it was read, nothing was
     */
    boolean perform(FlinkStateSnapshot resource, Optional<URI> at, SnapshotAction action) {
        ObjectMeta metadata = resource.getMetadata();
        return switch (action) {
            case SnapshotAction.Mark(var labels, var isHeld) -> mark(metadata, labels, isHeld);
            case SnapshotAction.Ask(var asked) -> {
                at.ifPresent(uri -> jobManagers.perform(uri, metadata.getUid(), asked));
                yield true;
            }
            case SnapshotAction.Delete(var name, var uid) -> {
                delete(metadata.getNamespace(), name, uid);
                yield true;
            }
            case SnapshotAction.Release() -> {
                memory.forget(metadata.getUid());
                yield mark(metadata, Map.of(), false);
            }
        };
    }

    private void delete(String namespace, String name, String uid) {
        new DeleteByUid(client)
                .delete(
                        FlinkStateSnapshot.class,
                        new ObjectMetaBuilder().withNamespace(namespace).withName(name).build(),
                        uid,
                        DeletionPropagation.BACKGROUND.toString());
    }

    private boolean mark(ObjectMeta metadata, Map<String, String> labels, boolean isHeld) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode changes = patch.putObject("metadata");
        labels.forEach((key, value) -> changes.withObject("/labels").put(key, value));
        if (isHeld != metadata.getFinalizers().contains(SnapshotMarks.FINALIZER)) {
            ArrayNode finalizers = changes.putArray("finalizers");
            metadata.getFinalizers().stream()
                    .filter(each -> !each.equals(SnapshotMarks.FINALIZER))
                    .forEach(finalizers::add);
            if (isHeld) {
                finalizers.add(SnapshotMarks.FINALIZER);
            }
        }
        return changes.isEmpty() || patched(metadata, patch);
    }

    /** Patches only the version that was read, so that nobody else's finalizer is lost. */
    private boolean patched(ObjectMeta metadata, ObjectNode patch) {
        patch.withObject("/metadata")
                .put("uid", metadata.getUid())
                .put("resourceVersion", metadata.getResourceVersion());
        try {
            FlinkStateSnapshot stored =
                    client.resources(FlinkStateSnapshot.class)
                            .inNamespace(metadata.getNamespace())
                            .withName(metadata.getName())
                            .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
            metadata.setResourceVersion(stored.getMetadata().getResourceVersion());
            return true;
        } catch (KubernetesClientException fault) {
            if (DeleteByUid.isGone(fault)) {
                return false;
            }
            throw fault;
        }
    }
}
