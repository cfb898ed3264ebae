// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Where intent is recorded. A reconciliation acts only on what is {@link Saved#KEPT}.
 *
 * @param <R> the kind of resource
 */
public interface StatusStore<R> {
    /** What became of a status that was to be stored. */
    enum Saved {
        KEPT,
        /** Somebody has changed the resource since it was read; nothing is written. */
        CONFLICT,
        /**
         * The API server dropped a part of it, as a CRD that does not know the part makes it do.
         */
        CUT
    }

    /**
     * Replaces the status of {@code resource}, but only if nobody has changed the resource since it
     * was read. {@code resource} is of the version stored then. One that is stored already is not
     * written again, only the rest is found out.
     */
    Saved save(R resource, ObjectNode status);

    /** {@code stored} compared with what was to be stored: every field is there, or some is not. */
    static Saved compare(ObjectNode asked, JsonNode stored) {
        return keeps(asked, stored) ? Saved.KEPT : Saved.CUT;
    }

    private static boolean keeps(JsonNode asked, JsonNode stored) {
        return !asked.isObject()
                || asked.propertyStream()
                        .filter(field -> !field.getValue().isNull())
                        .allMatch(
                                field ->
                                        stored.has(field.getKey())
                                                && keeps(
                                                        field.getValue(),
                                                        stored.path(field.getKey())));
    }
}
