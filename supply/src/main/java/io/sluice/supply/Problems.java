// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where an image and what is said of it differ, a sentence each. */
final class Problems {
    private Problems() {}

    static List<String> ofRoot(RootFolder root) {
        List<String> problems = new ArrayList<>();
        if (root.packages().stream().allMatch(each -> each.files().isEmpty())) {
            return problems; // the image has whole packages, as Debian installs them
        }
        root.unowned()
                .forEach(
                        file ->
                                problems.add(
                                        file + " belongs to no package: see local/build/rootfs"));
        root.missing().forEach(file -> problems.add(file + " is named by a package and missing"));
        return problems;
    }

    /** Jars that the bill of materials does not name as they are, and the reverse. */
    static List<String> ofJars(JsonNode sbom, List<ShippedJar> jars) {
        Map<String, String> named = new TreeMap<>();
        for (JsonNode component : sbom.path("components")) {
            for (JsonNode place : component.path("evidence").path("occurrences")) {
                String path = place.path("location").asText();
                if (path.endsWith(".jar")) {
                    named.put(path, component.path("hashes").path(0).path("content").asText());
                }
            }
        }
        List<String> problems = new ArrayList<>();
        for (ShippedJar jar : jars) {
            String hash = named.remove(jar.path());
            if (hash == null) {
                problems.add(jar.path() + " is not in the bill of materials");
            } else if (!hash.equals(jar.sha256())) {
                problems.add(jar.path() + " has another hash than the bill of materials says");
            }
        }
        named.keySet().forEach(path -> problems.add(path + " is in the bill of materials only"));
        return problems;
    }

    static int told(List<String> problems) {
        problems.forEach(problem -> System.err.println("supply: " + problem));
        return problems.isEmpty() ? 0 : 1;
    }
}
