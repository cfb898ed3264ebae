// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the project's list of advisories, supply/known-vulnerabilities.yaml. */
final class Advisories {
    private Advisories() {}

    /** All advisories in {@code file}; an entry for several components counts once for each. */
    static List<Advisory> read(Path file) {
        try {
            JsonNode entries = new YAMLMapper().readTree(file.toFile());
            List<Advisory> all = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (JsonNode entry : entries) {
                String id = text(entry, "id", "an entry");
                for (JsonNode component : entry.path("components")) {
                    if (!seen.add(id + " " + component.asText())) {
                        throw new SupplyException(id + " names " + component.asText() + " twice");
                    }
                    all.add(
                            new Advisory(
                                    id,
                                    component.asText(),
                                    Advisory.range(id, text(entry, "affected", id)),
                                    text(entry, "summary", id),
                                    verdict(id, entry)));
                }
                if (entry.path("components").isEmpty()) {
                    throw new SupplyException(id + " names no components");
                }
            }
            return all;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    private static Verdict verdict(String id, JsonNode entry) {
        String verdict = text(entry, "verdict", id);
        return switch (verdict) {
            case "upgraded" -> new Verdict.Upgraded();
            case "excluded" -> new Verdict.Excluded();
            case "not-reachable" ->
                    new Verdict.NotReachable(
                            texts(entry.path("images"), "images", id),
                            text(entry, "because", id),
                            strings(entry.path("neverLoaded")));
            default ->
                    throw new SupplyException(
                            id
                                    + ": verdict \""
                                    + verdict
                                    + "\" is none of upgraded, excluded, not-reachable");
        };
    }

    private static String text(JsonNode entry, String field, String where) {
        String text = entry.path(field).asText().strip();
        if (text.isEmpty()) {
            throw new SupplyException(where + " has no " + field + ": " + entry);
        }
        return text;
    }

    private static List<String> texts(JsonNode node, String field, String id) {
        if (node.isEmpty()) {
            throw new SupplyException(id + " has no " + field);
        }
        return strings(node);
    }

    private static List<String> strings(JsonNode node) {
        List<String> all = new ArrayList<>();
        node.forEach(each -> all.add(each.asText()));
        return List.copyOf(all);
    }
}
