// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Compares what an image ships with the advisories. */
final class Scan {
    private Scan() {}

    /** What would let the build of {@code image} fail: a sentence each; none if all is argued. */
    static List<String> findings(
            String image, List<Coordinates> shipped, List<Advisory> advisories) {
        List<String> findings = new ArrayList<>();
        for (Advisory advisory : advisories) {
            for (Coordinates component : shipped) {
                if (advisory.concerns(component) && !isArgued(advisory.verdict(), image)) {
                    findings.add(finding(image, advisory, component));
                }
            }
        }
        return findings;
    }

    /** Every Maven component that the bill of materials names, those inside of jars included. */
    static List<Coordinates> components(JsonNode sbom) {
        List<Coordinates> all = new ArrayList<>();
        for (JsonNode component : sbom.path("components")) {
            Coordinates.ofPurl(component.path("purl").asText()).ifPresent(all::add);
            all.addAll(components(component));
        }
        return all;
    }

    private static boolean isArgued(Verdict verdict, String image) {
        return verdict instanceof Verdict.NotReachable argued && argued.images().contains(image);
    }

    private static String finding(String image, Advisory advisory, Coordinates component) {
        String claim =
                switch (advisory.verdict()) {
                    case Verdict.Upgraded _ -> "said to be upgraded";
                    case Verdict.Excluded _ -> "said to be excluded";
                    case Verdict.NotReachable argued ->
                            "argued for " + String.join(", ", argued.images()) + " only";
                };
        return "%s ships %s %s, which %s concerns (%s; affected: %s; %s): upgrade it, exclude it, or argue why it is not reachable"
                .formatted(
                        image,
                        component.name(),
                        component.version(),
                        advisory.id(),
                        advisory.summary(),
                        advisory.affected(),
                        claim);
    }
}
