// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.GatewayRef;
import io.sluice.manifest.IngressSpecView;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.manifest.StartFrom;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.ProcessOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that the manifests of a FlinkDeployment depend on. They are those of its first start.
 *
 * @param spec as admission stores it
 * @param configuration the operator's
 */
record RenderInput(Start start, ObjectNode spec, FlinkConfiguration configuration) {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What the API server and the operator add.
     *
     * @param uid the resource's, which the API server chooses
     * @param attempt which the operator chooses at each start, as it does {@code jobId}
     */
    @RecordBuilder
    record Start(
            String namespace,
            String name,
            String uid,
            long generation,
            String attempt,
            String jobId)
            implements RenderInputStartBuilder.With {}

    RenderInput with(Start other) {
        return new RenderInput(other, spec, configuration);
    }

    RenderInput with(ObjectNode other) {
        return new RenderInput(start, other, configuration);
    }

    RenderInput with(FlinkConfiguration other) {
        return new RenderInput(start, spec, other);
    }

    /**
     * What the operator would create.
     *
     * @throws IllegalArgumentException if Flink refuses the configuration; the message is Flink's
     */
    List<ObjectNode> manifests() {
        FlinkDeploymentSpec parsed = FlinkDeploymentSpec.parse(spec, "spec").value();
        var defaults = new DefaultConfiguration(configuration);
        FlinkConfiguration effective =
                defaults.effective(
                        start.namespace(), parsed.flinkVersion(), parsed.flinkConfiguration());
        List<HasMetadata> manifests =
                new ArrayList<>(ManifestRenderer.render(plan(parsed, effective)));
        ingress(parsed, new Options(effective), new Options(defaults.own()))
                .ifPresent(manifests::add);
        return manifests.stream().map(RenderInput::json).toList();
    }

    private ClusterPlan plan(FlinkDeploymentSpec parsed, FlinkConfiguration effective) {
        return new ClusterPlan(
                start.namespace(),
                start.name(),
                start.uid(),
                start.generation(),
                parsed,
                effective,
                start.attempt(),
                start.jobId(),
                parsed.job()
                        .flatMap(JobSpec::initialSavepointPath)
                        .<StartFrom>map(StartFrom.Savepoint::new)
                        .orElseGet(StartFrom.Nothing::new),
                Optional.empty());
    }

    private Optional<HasMetadata> ingress(
            FlinkDeploymentSpec parsed, Options effective, Options own) {
        if (!own.get(ProcessOptions.INGRESS_MANAGE)) {
            return Optional.empty();
        }
        var subject = new IngressSpecView.Subject(start.namespace(), start.name(), start.uid());
        return parsed.ingress()
                .flatMap(ingress -> IngressSpecView.of(subject, ingress))
                .map(
                        view ->
                                view.manifest(
                                        own.get(ProcessOptions.INGRESS_GATEWAY)
                                                .flatMap(GatewayRef::parse),
                                        effective.get(FlinkOptions.REST_PORT)));
    }

    private static ObjectNode json(HasMetadata manifest) {
        try {
            return (ObjectNode) JSON.readTree(SERIALIZATION.asJson(manifest));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a manifest is no JSON", impossible);
        }
    }
}
