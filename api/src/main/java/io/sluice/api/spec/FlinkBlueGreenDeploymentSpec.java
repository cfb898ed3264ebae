// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.Parsed;
import java.util.Optional;

/**
 * {@code FlinkBlueGreenDeployment.spec}.
 *
 * @param configuration how the two take turns
 * @param template of the two FlinkDeployments
 */
public record FlinkBlueGreenDeploymentSpec(
        FlinkConfiguration configuration,
        Optional<IngressSpec> ingress,
        BlueGreenTemplate template) {

    /** Reads a spec as it stands in a resource; {@code path} is what problems call it. */
    public static Parsed<FlinkBlueGreenDeploymentSpec> parse(JsonNode spec, String path) {
        return Fields.read(spec, path, FlinkBlueGreenDeploymentSpec::read);
    }

    private static FlinkBlueGreenDeploymentSpec read(Fields fields) {
        return new FlinkBlueGreenDeploymentSpec(
                FlinkConfiguration.read(fields, "configuration"),
                fields.object("ingress", IngressSpec::read),
                fields.object("template", BlueGreenTemplate::read).orElse(BlueGreenTemplate.EMPTY));
    }
}
