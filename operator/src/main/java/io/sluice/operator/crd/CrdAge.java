// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares a CRD that is installed with the one this version was built with. */
public final class CrdAge {
    private CrdAge() {}

    /**
     * Fields and words of {@code shipped} that {@code installed} would drop or refuse, as paths;
     * empty if it is not older. What it has on top does no harm.
     */
    public static List<String> missing(
            CustomResourceDefinition shipped, CustomResourceDefinition installed) {
        List<String> missing = new ArrayList<>();
        for (CustomResourceDefinitionVersion version : shipped.getSpec().getVersions()) {
            installed.getSpec().getVersions().stream()
                    .filter(each -> each.getName().equals(version.getName()))
                    .findFirst()
                    .ifPresentOrElse(
                            each ->
                                    compare(
                                            "",
                                            version.getSchema().getOpenAPIV3Schema(),
                                            each.getSchema().getOpenAPIV3Schema(),
                                            missing),
                            () -> missing.add("version " + version.getName()));
        }
        return List.copyOf(missing);
    }

    private static void compare(
            String path, JSONSchemaProps shipped, JSONSchemaProps installed, List<String> missing) {
        boolean keepsUnknown = keepsUnknown(installed);
        if (keepsUnknown(shipped) && !keepsUnknown) {
            missing.add((path.isEmpty() ? "." : path) + " (unknown fields)");
        }
        Map<String, JSONSchemaProps> there = properties(installed);
        properties(shipped)
                .forEach(
                        (name, field) -> {
                            String at = path + "." + name;
                            if (there.containsKey(name)) {
                                compare(at, field, there.get(name), missing);
                            } else if (!keepsUnknown) {
                                missing.add(at);
                            }
                        });
        items(shipped)
                .ifPresent(
                        each ->
                                items(installed)
                                        .ifPresent(
                                                other ->
                                                        compare(
                                                                path + "[]",
                                                                each,
                                                                other,
                                                                missing)));
        words(path, shipped, installed, missing);
    }

    private static void words(
            String path, JSONSchemaProps shipped, JSONSchemaProps installed, List<String> missing) {
        List<JsonNode> allowed = Optional.ofNullable(installed.getEnum()).orElseGet(List::of);
        if (allowed.isEmpty()) {
            return;
        }
        for (JsonNode word : Optional.ofNullable(shipped.getEnum()).orElseGet(List::of)) {
            if (!allowed.contains(word)) {
                missing.add(path + ": " + word.asText());
            }
        }
    }

    private static boolean keepsUnknown(JSONSchemaProps schema) {
        return Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields());
    }

    private static Map<String, JSONSchemaProps> properties(JSONSchemaProps schema) {
        return Optional.ofNullable(schema.getProperties())
                .<Map<String, JSONSchemaProps>>map(TreeMap::new)
                .orElseGet(Map::of);
    }

    private static Optional<JSONSchemaProps> items(JSONSchemaProps schema) {
        return Optional.ofNullable(schema.getItems()).map(items -> items.getSchema());
    }
}
