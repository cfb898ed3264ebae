// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.cyclonedx.Version;
import org.cyclonedx.parsers.JsonParser;

/**
 * Makes an image's bill of materials in CycloneDX 1.6: from what Maven says of the jars, the jars
 * themselves, and the root file system. It says nothing of the time or the machine: the same
 * contents give the same text.
 */
final class ImageSbom {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ImageSbom() {}

    /**
     * The bill of materials of {@code image}.
     *
     * @param maven what the CycloneDX plugin wrote of the module; empty for one without jars of
     *     ours
     * @throws SupplyException if a jar is in no bill of Maven's, or a component has no jar
     */
    static ObjectNode of(
            String image,
            String version,
            Optional<JsonNode> maven,
            List<ShippedJar> jars,
            Optional<RootFolder> root) {
        ObjectNode sbom = JSON.createObjectNode();
        sbom.put("bomFormat", "CycloneDX");
        sbom.put("specVersion", "1.6");
        sbom.put("version", 1);
        ObjectNode subject = sbom.putObject("metadata").putObject("component");
        subject.put("type", root.isPresent() ? "container" : "application");
        subject.put("bom-ref", "sluice/" + image);
        subject.put("name", "sluice/" + image);
        subject.put("version", version);
        subject.putArray("licenses").addObject().putObject("license").put("id", "Apache-2.0");
        ArrayNode components = sbom.putArray("components");
        root.ifPresent(folder -> addRoot(components, folder));
        maven.ifPresentOrElse(
                bill -> addListed(components, bill, jars), () -> addFound(components, jars));
        addDependencies(sbom, maven, image);
        sbom.put("serialNumber", "urn:uuid:" + UUID.nameUUIDFromBytes(bytes(sbom)));
        return sbom;
    }

    /** What the schema of CycloneDX 1.6 has against {@code text}: nothing, if it is valid. */
    static List<String> violations(String text) {
        try {
            return new JsonParser()
                    .validate(text, Version.VERSION_16).stream()
                            .map(Throwable::getMessage)
                            .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static byte[] bytes(JsonNode sbom) {
        try {
            return (JSON.writeValueAsString(sbom) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree can always be written", impossible);
        }
    }

    private static void addRoot(ArrayNode components, RootFolder root) {
        ObjectNode system = components.addObject();
        system.put("type", "operating-system");
        system.put("bom-ref", "os/" + root.distribution());
        system.put("name", root.release().getOrDefault("ID", "linux"));
        system.put("version", root.release().getOrDefault("VERSION_ID", "0"));
        if (!root.java().isEmpty()) {
            addJava(components, root.java());
        }
        for (DebianPackage each : root.packages()) {
            ObjectNode component = components.addObject();
            String purl = each.purl(root.distribution());
            component.put("type", "library");
            component.put("bom-ref", purl);
            component.put("name", each.name());
            component.put("version", each.version());
            addLicences(component, each.licences());
            component.put("purl", purl);
            addPlaces(component, each.files());
        }
    }

    private static void addJava(ArrayNode components, Map<String, String> release) {
        String number = release.getOrDefault("JAVA_VERSION", "unknown");
        String version = release.getOrDefault("JAVA_RUNTIME_VERSION", number);
        ObjectNode java = components.addObject();
        java.put("type", "platform");
        java.put("bom-ref", "java");
        java.put("publisher", release.getOrDefault("IMPLEMENTOR", "unknown"));
        java.put("name", "openjdk");
        java.put("version", version);
        java.putArray("licenses")
                .addObject()
                .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
        java.put("cpe", "cpe:2.3:a:oracle:openjdk:" + number + ":*:*:*:*:*:*:*");
        java.put("purl", "pkg:generic/openjdk@" + version.replace("+", "%2B"));
        addPlaces(java, List.of("/opt/java/release"));
    }

    private static void addListed(ArrayNode components, JsonNode maven, List<ShippedJar> jars) {
        Map<String, ShippedJar> unlisted = new TreeMap<>();
        jars.forEach(jar -> unlisted.put(jar.file(), jar));
        List<JsonNode> listed = new ArrayList<>();
        listed.add(maven.path("metadata").path("component"));
        maven.path("components").forEach(listed::add);
        List<String> jarless = new ArrayList<>();
        for (JsonNode component : listed) {
            Coordinates coordinates =
                    Coordinates.ofPurl(component.path("purl").asText())
                            .orElseThrow(
                                    () -> new SupplyException("no Maven component: " + component));
            ShippedJar jar = unlisted.remove(coordinates.file());
            if (jar == null) {
                jarless.add(coordinates.file());
            } else {
                components.add(described(component.deepCopy(), jar));
            }
        }
        if (!unlisted.isEmpty()) {
            throw new SupplyException("jars that Maven's bill does not name: " + unlisted.keySet());
        }
        if (!jarless.isEmpty()) {
            throw new SupplyException("components without a jar: " + jarless);
        }
    }

    private static ObjectNode described(ObjectNode component, ShippedJar jar) {
        component.put("type", "library");
        component.remove("externalReferences");
        putFile(component, jar);
        return component;
    }

    private static void addFound(ArrayNode components, List<ShippedJar> jars) {
        for (ShippedJar jar : jars) {
            ObjectNode component = components.addObject();
            component.put("type", "library");
            component.put("bom-ref", jar.path());
            jar.own()
                    .ifPresentOrElse(
                            own -> putCoordinates(component, own),
                            () -> component.put("name", jar.file()));
            putFile(component, jar);
        }
    }

    /** The file as it is shipped, which may be without the signature it was published with. */
    private static void putFile(ObjectNode component, ShippedJar jar) {
        component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", jar.sha256());
        addPlaces(component, List.of(jar.path()));
        if (!jar.bundled().isEmpty()) {
            ArrayNode inside = component.putArray("components");
            for (Coordinates bundled : jar.bundled()) {
                ObjectNode part = inside.addObject();
                part.put("type", "library");
                part.put("bom-ref", jar.path() + "!" + bundled.purl());
                putCoordinates(part, bundled);
            }
        }
    }

    private static void putCoordinates(ObjectNode component, Coordinates coordinates) {
        component.put("group", coordinates.group());
        component.put("name", coordinates.artifact());
        component.put("version", coordinates.version());
        component.put("purl", coordinates.purl());
    }

    private static void addPlaces(ObjectNode component, List<String> paths) {
        if (!paths.isEmpty()) {
            ArrayNode occurrences = component.putObject("evidence").putArray("occurrences");
            paths.forEach(path -> occurrences.addObject().put("location", path));
        }
    }

    private static void addLicences(ObjectNode component, List<String> names) {
        if (!names.isEmpty()) {
            ArrayNode licences = component.putArray("licenses");
            names.forEach(name -> licences.addObject().putObject("license").put("name", name));
        }
    }

    private static void addDependencies(ObjectNode sbom, Optional<JsonNode> maven, String image) {
        ArrayNode dependencies = sbom.putArray("dependencies");
        ObjectNode whole = dependencies.addObject();
        whole.put("ref", "sluice/" + image);
        ArrayNode on = whole.putArray("dependsOn");
        maven.ifPresentOrElse(
                bill -> on.add(bill.path("metadata").path("component").path("bom-ref").asText()),
                () ->
                        sbom.path("components")
                                .forEach(each -> on.add(each.path("bom-ref").asText())));
        maven.ifPresent(bill -> bill.path("dependencies").forEach(dependencies::add));
    }
}
