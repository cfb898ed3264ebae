// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.Parsed;
import java.util.Optional;

/**
 * {@code FlinkSessionJob.spec}.
 *
 * @param deploymentName the FlinkDeployment, without a job of its own, to run on
 * @param flinkConfiguration on top of that cluster's
 */
public record FlinkSessionJobSpec(
        Optional<String> deploymentName,
        Optional<JobSpec> job,
        Optional<Long> restartNonce,
        FlinkConfiguration flinkConfiguration) {

    /** Reads a spec as it stands in a resource; {@code path} is what problems call it. */
    public static Parsed<FlinkSessionJobSpec> parse(JsonNode spec, String path) {
        return Fields.read(spec, path, FlinkSessionJobSpec::read);
    }

    private static FlinkSessionJobSpec read(Fields fields) {
        return new FlinkSessionJobSpec(
                fields.string("deploymentName"),
                fields.object("job", JobSpec::read),
                fields.int64("restartNonce"),
                FlinkConfiguration.read(fields, "flinkConfiguration"));
    }
}
