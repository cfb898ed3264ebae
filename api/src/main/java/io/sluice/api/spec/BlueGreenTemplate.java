// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Fields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code spec.template} of a blue/green pair.
 *
 * @param labels of {@code metadata}, carried to both children
 * @param annotations of {@code metadata}, carried to both children
 */
public record BlueGreenTemplate(
        Map<String, String> labels, Map<String, String> annotations, FlinkDeploymentSpec spec) {
    /** Where the spec of the children lies. */
    public static final String SPEC_PATH = "spec.template.spec";

    static final BlueGreenTemplate EMPTY =
            new BlueGreenTemplate(Map.of(), Map.of(), FlinkDeploymentSpec.EMPTY);

    public BlueGreenTemplate {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    static BlueGreenTemplate read(Fields fields) {
        return new BlueGreenTemplate(
                fields.object("metadata", metadata -> metadata.stringMap("labels"))
                        .orElse(Map.of()),
                fields.object("metadata", metadata -> metadata.stringMap("annotations"))
                        .orElse(Map.of()),
                fields.object("spec", FlinkDeploymentSpec::read).orElse(FlinkDeploymentSpec.EMPTY));
    }
}
