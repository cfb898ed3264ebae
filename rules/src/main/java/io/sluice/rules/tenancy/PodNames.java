// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The names in pod templates. */
final class PodNames {
    /** Objects whose {@code name} is a Secret's. */
    private static final Set<String> SECRET_REFERENCES =
            Set.of(
                    "secretRef",
                    "secretKeyRef",
                    "nodePublishSecretRef",
                    "secret",
                    "imagePullSecrets");

    private static final String NODE =
            "names a node, which bypasses all taints and is not allowed here; use nodeSelector";

    private PodNames() {}

    /** The keys of {@code metadata.annotations} or {@code metadata.labels}. */
    static Stream<Named> metadata(Request request, String field, String kind) {
        return templates(request)
                .flatMap(
                        template ->
                                template.at("metadata")
                                        .at(field)
                                        .json()
                                        .propertyStream()
                                        .map(
                                                entry ->
                                                        Named.of(
                                                                template.path()
                                                                        + ".metadata."
                                                                        + field
                                                                        + "["
                                                                        + entry.getKey()
                                                                        + "]",
                                                                entry.getKey(),
                                                                kind)));
    }

    /** The texts of {@code fields} of the pods' specs. */
    static Stream<Named> fields(Request request, String kind, String... fields) {
        return templates(request)
                .flatMap(
                        template ->
                                Stream.of(fields)
                                        .map(field -> template.at("spec").at(field))
                                        .filter(field -> !field.text().isEmpty())
                                        .map(field -> field.named(kind)));
    }

    /** The taints that are tolerated, and nodes, which are named past all taints. */
    static Stream<Named> taints(Request request) {
        Stream<Named> tolerations =
                templates(request)
                        .flatMap(template -> template.at("spec").at("tolerations").elements())
                        .map(toleration -> toleration.at("key").named("taint"));
        Stream<Named> nodes =
                templates(request)
                        .map(template -> template.at("spec").at("nodeName"))
                        .filter(node -> !node.text().isEmpty())
                        .map(node -> new Named(node.path(), "", NODE));
        return Stream.concat(tolerations, nodes);
    }

    /** What the volumes have for {@code volume.field}. */
    static Stream<Named> volumes(Request request, String volume, String field, String kind) {
        return templates(request)
                .flatMap(template -> template.at("spec").at("volumes").elements())
                .filter(each -> each.json().path(volume).isObject())
                .map(each -> each.at(volume).at(field).named(kind));
    }

    /** Every Secret, wherever the pods' specs name one. */
    static Stream<Named> secrets(Request request) {
        return templates(request).flatMap(template -> secrets(template.at("spec")));
    }

    private static Stream<Named> secrets(Field part) {
        List<Named> found = new ArrayList<>();
        part.json()
                .propertyStream()
                .forEach(
                        entry -> {
                            Field below = part.at(entry.getKey());
                            if (entry.getKey().equals("secretName")) {
                                found.add(below.named("Secret"));
                            }
                            if (SECRET_REFERENCES.contains(entry.getKey())) {
                                Stream.concat(Stream.of(below), below.elements())
                                        .map(reference -> reference.at("name"))
                                        .filter(name -> name.json().isTextual())
                                        .forEach(name -> found.add(name.named("Secret")));
                            }
                            secrets(below).forEach(found::add);
                        });
        part.elements().flatMap(PodNames::secrets).forEach(found::add);
        return found.stream();
    }

    private static Stream<Field> templates(Request request) {
        return request.templates().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Field(entry.getValue(), entry.getKey()));
    }

    /** A part of a template and its path. */
    private record Field(JsonNode json, String path) {
        Field at(String field) {
            return new Field(json.path(field), path + "." + field);
        }

        /** Of a list; nothing of anything else. */
        Stream<Field> elements() {
            List<Field> elements = new ArrayList<>();
            if (json.isArray()) {
                for (int i = 0; i < json.size(); i++) {
                    elements.add(new Field(json.get(i), path + "[" + i + "]"));
                }
            }
            return elements.stream();
        }

        String text() {
            return json.asText("");
        }

        Named named(String kind) {
            return Named.of(path, text(), kind);
        }
    }
}
