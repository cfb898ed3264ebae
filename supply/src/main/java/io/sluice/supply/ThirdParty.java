// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lists what a bill of materials names, with its licences, for people. */
final class ThirdParty {
    private ThirdParty() {}

    static String text(JsonNode sbom) {
        String subject = sbom.path("metadata").path("component").path("name").asText();
        List<String> lines = new ArrayList<>();
        for (JsonNode component : sbom.path("components")) {
            if (!component.path("group").asText().equals("io.sluice")
                    && !component.path("type").asText().equals("operating-system")) {
                lines.add(line(component));
            }
        }
        return subject
                + " is licensed under Apache-2.0. It holds what follows, each under its own"
                + " licence.\n"
                + "The texts of the licences are in the jars' META-INF folders, in /usr/share/doc"
                + " and in /opt/java/legal.\n\n"
                + lines.stream().sorted().distinct().collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(JsonNode component) {
        String group = component.path("group").asText();
        return "%s%s %s: %s"
                .formatted(
                        group.isEmpty() ? "" : group + ":",
                        component.path("name").asText(),
                        component.path("version").asText(),
                        licences(component));
    }

    private static String licences(JsonNode component) {
        List<String> names = new ArrayList<>();
        for (JsonNode choice : component.path("licenses")) {
            JsonNode licence = choice.path("license");
            names.add(
                    choice.hasNonNull("expression")
                            ? choice.path("expression").asText()
                            : licence.path("id").asText(licence.path("name").asText()));
        }
        return names.isEmpty() ? "see its files" : String.join(", ", names);
    }
}
