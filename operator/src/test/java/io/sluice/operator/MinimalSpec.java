// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A spec as small as one can be. */
public final class MinimalSpec {
    private MinimalSpec() {}

    /**
     * @param state the job's: running or suspended
     */
    public static ObjectNode spec(String state) {
        ObjectNode spec =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", "flink:1.20")
                        .put("flinkVersion", "v1_20")
                        .put("serviceAccount", "flink");
        spec.putObject("jobManager").putObject("resource").put("memory", "1g").put("cpu", 0.5);
        spec.putObject("taskManager").putObject("resource").put("memory", "1g").put("cpu", 0.5);
        spec.putObject("job")
                .put("jarURI", "local:///opt/flink/job.jar")
                .put("parallelism", 1)
                .put("upgradeMode", "stateless")
                .put("state", state);
        return spec;
    }
}
