// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.Optional;

/**
 * {@code spec.jobManager} or {@code spec.taskManager}.
 *
 * @param resources wins over {@code resource} once it has a request or a limit
 * @param podTemplate as the user wrote it; its schema is Kubernetes' own
 */
public record ComponentSpec(
        Optional<ResourceSpec> resource,
        Optional<ResourcesSpec> resources,
        Optional<Integer> replicas,
        Optional<ObjectNode> podTemplate) {
    public static final ComponentSpec EMPTY =
            new ComponentSpec(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static ComponentSpec read(Fields fields) {
        return new ComponentSpec(
                fields.object("resource", ResourceSpec::read),
                fields.object("resources", ResourcesSpec::read),
                fields.int32("replicas"),
                fields.raw("podTemplate"));
    }
}
