// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.PairDiff;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A FlinkBlueGreenDeployment as it is stored.
 *
 * @param version of the resource, by which the API server tells whether it was changed
 * @param approved what the annotation {@code sluice.io/promote} says
 * @param hasAnnotations whether it has any
 * @param managers who has set fields of {@code spec.template}, as {@code managedFields} calls them
 * @param rawStatus as it is stored
 */
record Pair(
        String name,
        long generation,
        String version,
        boolean isDeleting,
        ObjectNode spec,
        ObjectNode rawStatus,
        FlinkBlueGreenDeploymentStatus status,
        Optional<String> approved,
        boolean hasAnnotations,
        List<String> managers) {
    Pair {
        managers = List.copyOf(managers);
    }

    static Pair of(FlinkBlueGreenDeployment resource) {
        ObjectMeta metadata = resource.getMetadata();
        ObjectNode status = orEmpty(resource.getStatus());
        Map<String, String> annotations =
                Optional.ofNullable(metadata.getAnnotations()).orElseGet(Map::of);
        return new Pair(
                metadata.getName(),
                Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                metadata.getResourceVersion(),
                metadata.getDeletionTimestamp() != null,
                orEmpty(resource.getSpec()),
                status,
                FlinkBlueGreenDeploymentStatus.of(status),
                Optional.ofNullable(annotations.get(FlinkBlueGreenDeployment.PROMOTE)),
                !annotations.isEmpty(),
                Optional.ofNullable(metadata.getManagedFields()).orElse(List.of()).stream()
                        .filter(Pair::ownsTemplate)
                        .flatMap(entry -> Optional.ofNullable(entry.getManager()).stream())
                        .distinct()
                        .toList());
    }

    /** {@code spec.template}. */
    ObjectNode template() {
        return templateOf(spec);
    }

    Options options() {
        return new Options(
                FlinkBlueGreenDeploymentSpec.parse(spec, "spec").value().configuration());
    }

    /**
     * Whether Sluice's operator has written the status: the Apache operator writes no conditions.
     */
    boolean isOfSluice() {
        return !status.conditions().isEmpty();
    }

    /** The half that is active; empty before the first one is. */
    Optional<HalfColor> active() {
        Optional<HalfColor> from = inProgress().flatMap(PairTransition::from);
        return from.or(() -> status.blueGreenState().flatMap(BlueGreenState::half));
    }

    /** The transition in progress. */
    Optional<PairTransition> inProgress() {
        return status.transition().filter(transition -> !transition.isOver());
    }

    /** The template that the active half has; empty if it is not on record. */
    Optional<ObjectNode> activeTemplate() {
        return status.activeSpec().or(status::lastReconciledSpec).flatMap(Pair::decoded);
    }

    /** The template that is being carried out, or was the last one. */
    Optional<ObjectNode> recordedTemplate() {
        return status.transition()
                .flatMap(PairTransition::spec)
                .or(status::lastReconciledSpec)
                .flatMap(Pair::decoded);
    }

    /**
     * Whether the operator ends the transition in progress for this template, and does not only
     * carry it out afterwards.
     */
    boolean isEndedBy(ObjectNode template) {
        return recordedTemplate()
                .filter(recorded -> !recorded.equals(template))
                .filter(
                        recorded ->
                                PairDiff.between(half(recorded), half(template))
                                        .effect()
                                        .endsTransition())
                .isPresent();
    }

    /** The spec of the FlinkDeployments of a template. */
    static FlinkDeploymentSpec half(ObjectNode template) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.set("template", template);
        return FlinkBlueGreenDeploymentSpec.parse(spec, "spec").value().template().spec();
    }

    private static Optional<ObjectNode> decoded(String encoded) {
        return ReconciledSpec.decode(encoded).map(ReconciledSpec::spec).map(Pair::templateOf);
    }

    private static ObjectNode templateOf(ObjectNode spec) {
        return spec.path("template") instanceof ObjectNode template
                ? template
                : JsonNodeFactory.instance.objectNode();
    }

    private static boolean ownsTemplate(ManagedFieldsEntry entry) {
        return Optional.ofNullable(entry.getFieldsV1())
                .map(FieldsV1::getAdditionalProperties)
                .map(fields -> fields.get("f:spec"))
                .filter(Map.class::isInstance)
                .filter(spec -> ((Map<?, ?>) spec).containsKey("f:template"))
                .isPresent();
    }

    private static ObjectNode orEmpty(JsonNode node) {
        return node instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    }
}
