// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.RawResource;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.status.Condition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What all kinds have in common.
 *
 * @param status as it is stored; empty if no operator has written one
 */
record StatusView(RawResource resource, ObjectNode status, List<Condition> conditions) {
    StatusView {
        conditions = List.copyOf(conditions);
    }

    static StatusView of(RawResource resource) {
        ObjectNode status =
                Optional.ofNullable(resource.getStatus())
                        .orElseGet(JsonNodeFactory.instance::objectNode);
        return new StatusView(
                resource, status, Fields.read(status, "status", Condition::read).value());
    }

    ObjectMeta metadata() {
        return resource.getMetadata();
    }

    /** Whether an operator has written a status. */
    boolean isObserved() {
        return !status.isEmpty();
    }

    /** Whether Sluice's operator has: the Apache operator writes no conditions. */
    boolean isOfSluice() {
        return !conditions.isEmpty();
    }

    /** Whether an edit was made that the operator has not looked at. */
    boolean isBehind() {
        long generation = Optional.ofNullable(metadata().getGeneration()).orElse(0L);
        return isOfSluice() && status.path("observedGeneration").asLong(generation) < generation;
    }

    Optional<Condition> condition(String type) {
        return conditions.stream().filter(each -> each.type().equals(type)).findFirst();
    }

    /** The condition of the type, if it holds. */
    Optional<Condition> holding(String type) {
        return condition(type).filter(each -> each.status() == Condition.Status.TRUE);
    }

    /** A text of the status; empty if it has none there. */
    String text(String pointer) {
        return status.at(pointer).asText("");
    }

    Optional<Instant> deletion() {
        return Optional.ofNullable(metadata().getDeletionTimestamp()).flatMap(StatusJson::instant);
    }

    /** When somebody wrote something but the status, the last time that is known of. */
    Optional<Instant> edited() {
        return Optional.ofNullable(metadata().getManagedFields()).orElse(List.of()).stream()
                .filter(entry -> Optional.ofNullable(entry.getSubresource()).orElse("").isEmpty())
                .map(ManagedFieldsEntry::getTime)
                .flatMap(time -> Optional.ofNullable(time).flatMap(StatusJson::instant).stream())
                .max(Comparator.naturalOrder())
                .or(
                        () ->
                                Optional.ofNullable(metadata().getCreationTimestamp())
                                        .flatMap(StatusJson::instant));
    }
}
