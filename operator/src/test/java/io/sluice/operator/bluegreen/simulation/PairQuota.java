// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.sluice.testkit.apiserver.ResourceType;
import java.util.Set;

/** The ResourceQuota of a namespace, which has room for a second half or none. */
final class PairQuota {
    private final PairWorld world;
    private final ResourceQuota stored;
    private boolean isFull;
    private boolean wasFree = true;

    PairQuota(PairWorld world) {
        this.world = world;
        world.api()
                .serve(
                        new ResourceType(
                                "",
                                "v1",
                                "resourcequotas",
                                "ResourceQuota",
                                true,
                                Set.of(ResourceType.Feature.STATUS)));
        stored =
                world.client()
                        .resource(
                                new ResourceQuotaBuilder()
                                        .withNewMetadata()
                                        .withNamespace(world.namespace())
                                        .withName("team")
                                        .endMetadata()
                                        .build())
                        .create();
        tell();
    }

    boolean isFull() {
        return isFull;
    }

    void fills(boolean isFull) {
        this.isFull = isFull;
        wasFree |= !isFull;
        tell();
    }

    private void tell() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.putObject("hard").put("pods", isFull ? "3" : "12");
        status.putObject("used").put("pods", "2");
        world.patchStatus(stored, status);
    }

    /** A process of the operator begins to look at the pair. */
    void beginsPass() {
        wasFree = !isFull;
    }

    /** What arrives now may have been decided at any time. */
    void isForgotten() {
        wasFree = true;
    }

    /** Whether nobody could have found room since the operator began to look. */
    boolean hasBeenFullThroughout() {
        return isFull && !wasFree;
    }
}
