// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.review.BackupSign;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.SpecSize;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything the rules of a FlinkDeployment look at.
 *
 * @param size of the spec
 * @param old the spec the operator last took up; empty before the first deployment
 * @param effective the operator's defaults with the spec's own configuration on top
 * @param granted the operator's defaults alone: what a resource must not say of itself
 * @param annotations of the resource; empty where it is not looked at as a whole
 * @param backup see {@link BackupSign}; empty where the resource is not looked at as a whole
 * @param shared objects that other resources of the namespace need, too, as far as that is known
 */
@RecordBuilder
public record DeploymentReview(
        String namespace,
        String name,
        FlinkDeploymentSpec spec,
        SpecSize size,
        Optional<FlinkDeploymentSpec> old,
        FlinkConfiguration effective,
        FlinkConfiguration granted,
        Map<String, String> annotations,
        Optional<String> backup,
        List<ChildName.Shared> shared)
        implements DeploymentReviewBuilder.With {
    public DeploymentReview {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        shared = List.copyOf(shared);
    }

    /** Gathers a review from a FlinkDeployment as it stands at the API server. */
    public static Parsed<DeploymentReview> read(
            ReviewRequest request, DefaultConfiguration defaults) {
        var read =
                read(
                        request.namespace(),
                        request.name(),
                        request.resource().path("spec"),
                        lastReconciled(request.resource())
                                .map(spec -> FlinkDeploymentSpec.parse(spec, "spec").value()),
                        defaults);
        return new Parsed<>(
                read.value()
                        .with()
                        .annotations(annotations(request.resource()))
                        .backup(BackupSign.of(request.resource()))
                        .build(),
                read.problems());
    }

    /** What is said of a resource beside its spec. */
    public static Map<String, String> annotations(ObjectNode resource) {
        Map<String, String> annotations = new HashMap<>();
        resource.at("/metadata/annotations")
                .propertyStream()
                .forEach(each -> annotations.put(each.getKey(), each.getValue().asText("")));
        return annotations;
    }

    /**
     * With what it shares with others. One that the operator has reconciled may have been there
     * first, so that it is not compared.
     */
    public DeploymentReview beside(Lookup lookup) {
        return old.isPresent()
                ? this
                : withShared(ChildName.shared(name, spec.mode(), other -> other(lookup, other)));
    }

    private Optional<FlinkDeploymentSpec> other(Lookup lookup, String other) {
        return lookup.findAtHand(ResourceKind.FLINK_DEPLOYMENT, namespace, other).deployment();
    }

    /** Gathers a review from a spec, the operator's with its defaults filled in. */
    public static Parsed<DeploymentReview> read(
            String namespace,
            String name,
            JsonNode spec,
            Optional<FlinkDeploymentSpec> old,
            DefaultConfiguration defaults) {
        var parsed = FlinkDeploymentSpec.parse(spec, "spec");
        SpecSize size = SpecSize.of(spec, "spec");
        return new Parsed<>(
                of(namespace, name, parsed.value(), size, old, defaults), parsed.problems());
    }

    public static DeploymentReview of(
            String namespace,
            String name,
            FlinkDeploymentSpec spec,
            SpecSize size,
            Optional<FlinkDeploymentSpec> old,
            DefaultConfiguration defaults) {
        return new DeploymentReview(
                namespace,
                name,
                spec,
                size,
                old,
                defaults.effective(namespace, spec.flinkVersion(), spec.flinkConfiguration()),
                defaults.granted(namespace, spec.flinkVersion()),
                Map.of(),
                Optional.empty(),
                List.of());
    }

    /** The spec that was reconciled last, by the status. */
    public static Optional<ObjectNode> lastReconciled(ObjectNode resource) {
        return lastReconciled(
                resource.path("status").path("reconciliationStatus").path("lastReconciledSpec"));
    }

    public static Optional<ObjectNode> lastReconciled(JsonNode encoded) {
        return Optional.of(encoded)
                .filter(JsonNode::isTextual)
                .flatMap(text -> ReconciledSpec.decode(text.textValue()))
                .map(ReconciledSpec::spec);
    }

    public JobReview jobReview() {
        return new JobReview(
                spec.job(),
                spec.taskManager().replicas().isPresent(),
                spec.flinkVersion(),
                spec.flinkConfiguration(),
                new Options(effective),
                new Options(granted),
                backup);
    }
}
