// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A savepoint or checkpoint of a job. Raw JSON like {@link FlinkDeployment}; {@link
 * FlinkStateSnapshotSpec#parse} and {@link FlinkStateSnapshotStatus#of} give the typed views.
 */
@Group(FlinkDeployment.GROUP)
@Version(FlinkDeployment.VERSION)
@Kind("FlinkStateSnapshot")
@Plural("flinkstatesnapshots")
@Singular("flinkstatesnapshot")
@ShortNames("flinksnp")
public final class FlinkStateSnapshot extends CustomResource<ObjectNode, ObjectNode>
        implements Namespaced {
    @Override
    protected ObjectNode initSpec() {
        return JsonNodeFactory.instance.objectNode();
    }

    @Override
    protected ObjectNode initStatus() {
        return JsonNodeFactory.instance.objectNode();
    }
}
