// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.pattern.Placeholders;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a resource asks to have made.
 *
 * @param spec as the user wrote it: what the operator's configuration says is granted
 * @param templates the spec's pod templates by their paths
 * @param names of the resource
 */
public record Request(
        FlinkDeploymentSpec spec, Map<String, ObjectNode> templates, Placeholders names) {
    public Request {
        templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
    }
}
