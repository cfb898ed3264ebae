// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.Parsed;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code FlinkDeployment.spec}. Two specs that mean the same are equal, however their fields are
 * ordered or their configuration is nested.
 *
 * @param job empty for a session cluster
 */
@RecordBuilder
public record FlinkDeploymentSpec(
        Optional<JobSpec> job,
        Optional<Long> restartNonce,
        FlinkConfiguration flinkConfiguration,
        Optional<String> image,
        Optional<String> imagePullPolicy,
        Optional<String> serviceAccount,
        Optional<FlinkVersion> flinkVersion,
        Optional<IngressSpec> ingress,
        Optional<ObjectNode> podTemplate,
        ComponentSpec jobManager,
        ComponentSpec taskManager,
        Map<String, String> logConfiguration,
        DeploymentMode mode)
        implements FlinkDeploymentSpecBuilder.With {
    /** A spec in which nothing is said. */
    public static final FlinkDeploymentSpec EMPTY =
            parse(JsonNodeFactory.instance.objectNode(), "spec").value();

    public FlinkDeploymentSpec {
        logConfiguration = Collections.unmodifiableMap(new LinkedHashMap<>(logConfiguration));
    }

    /** {@code spec.job.savepointRedeployNonce}; empty if it is not set, or there is no job. */
    public Optional<Long> savepointRedeployNonce() {
        return job.flatMap(JobSpec::savepointRedeployNonce);
    }

    /**
     * Reads a spec as it stands in a resource; {@code path} is what problems call it, usually
     * {@code spec}.
     */
    public static Parsed<FlinkDeploymentSpec> parse(JsonNode spec, String path) {
        return Fields.read(spec, path, FlinkDeploymentSpec::read);
    }

    static FlinkDeploymentSpec read(Fields fields) {
        return new FlinkDeploymentSpec(
                fields.object("job", JobSpec::read),
                fields.int64("restartNonce"),
                FlinkConfiguration.read(fields, "flinkConfiguration"),
                fields.string("image"),
                fields.string("imagePullPolicy"),
                fields.string("serviceAccount"),
                fields.choice("flinkVersion", FlinkVersion.WORDS),
                fields.object("ingress", IngressSpec::read),
                fields.raw("podTemplate"),
                fields.object("jobManager", ComponentSpec::read).orElse(ComponentSpec.EMPTY),
                fields.object("taskManager", ComponentSpec::read).orElse(ComponentSpec.EMPTY),
                fields.stringMap("logConfiguration"),
                fields.choice("mode", DeploymentMode.WORDS).orElse(DeploymentMode.NATIVE));
    }
}
