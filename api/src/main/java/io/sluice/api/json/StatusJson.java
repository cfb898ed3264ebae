// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * How status fields are written: an empty one is removed, so that a merge never leaves an old value
 * behind.
 */
public final class StatusJson {
    private StatusJson() {}

    public static void put(ObjectNode node, String name, Optional<String> value) {
        value.ifPresentOrElse(text -> node.put(name, text), () -> node.remove(name));
    }

    public static void putNumber(ObjectNode node, String name, Optional<Long> value) {
        value.ifPresentOrElse(number -> node.put(name, number), () -> node.remove(name));
    }

    /** Empty if {@code text} is no ISO 8601 instant. */
    public static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException notAnInstant) {
            return Optional.empty();
        }
    }

    /** The object at {@code name}, made if it is not there (or is no object). */
    public static ObjectNode objectAt(ObjectNode node, String name) {
        return node.get(name) instanceof ObjectNode object ? object : node.putObject(name);
    }
}
