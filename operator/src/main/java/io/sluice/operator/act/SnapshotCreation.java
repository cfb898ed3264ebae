// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.model.Action;
import io.sluice.operator.observe.snapshot.RefusedSnapshots;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the FlinkStateSnapshots that carry a job's requests. A creation that fails keeps nothing
 * else from being done: the next reconciliation says so and tries again.
 */
public record SnapshotCreation(KubernetesClient client, RefusedSnapshots refused) {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCreation.class);

    /**
     * Creates it, unless there is one of its name.
     *
     * @param resource the FlinkDeployment or FlinkSessionJob whose request it carries
     */
    public void create(HasMetadata resource, Action.CreateSnapshot creation) {
        var snapshot = new FlinkStateSnapshot();
        snapshot.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(resource.getMetadata().getNamespace())
                        .withName(creation.name())
                        .withLabels(labels(resource, creation))
                        .build());
        snapshot.setSpec(creation.spec().toJson());
        String uid = resource.getMetadata().getUid();
        try {
            client.resource(snapshot).create();
            refused.forget(uid);
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                LOG.atDebug()
                        .addKeyValue("snapshot", creation.name())
                        .log("not created: {}", ApiServerMessage.of(fault));
                refused.refused(uid, creation.name(), ApiServerMessage.of(fault));
            }
        }
    }

    private static Map<String, String> labels(
            HasMetadata resource, Action.CreateSnapshot creation) {
        Map<String, String> labels =
                new TreeMap<>(
                        Optional.ofNullable(resource.getMetadata().getLabels()).orElseGet(Map::of));
        labels.keySet().retainAll(creation.inheritedLabels());
        labels.put(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, creation.type().wire());
        creation.spec().jobReference().map(FlinkStateSnapshot::jobLabels).ifPresent(labels::putAll);
        return labels;
    }
}
