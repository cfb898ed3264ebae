// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Crds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules that the CRDs know too, against a real API server: both say the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CelIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /** Examples of which CEL cannot say what is wrong with them. */
    private static final Set<String> BEYOND_CEL =
            Set.of(
                    "bluegreen-template/invalid-conf.yaml",
                    "flink-version-unsupported/invalid-restarted.yaml",
                    "flink-version-unsupported/valid-checkpointed.yaml",
                    "flink-version-unsupported/valid-savepointed.yaml",
                    "flink-version-unsupported/valid-suspended.yaml",
                    "jar-uri-syntax/invalid-escape.yaml",
                    "no-version-change-after-last-state/invalid-version.yaml");

    static List<Path> examples() {
        return Fixtures.crdRules().stream()
                .filter(rule -> Files.isDirectory(Fixtures.ROOT.resolve(rule)))
                .flatMap(
                        rule ->
                                Stream.of("valid", "invalid")
                                        .flatMap(kind -> Fixtures.of(rule, kind).stream()))
                .filter(file -> !BEYOND_CEL.contains(Fixtures.ROOT.relativize(file).toString()))
                .toList();
    }

    @Test
    void everyRuleOfTheCrdsIsOneOfOurs() {
        assertThat(Fixtures.crdRules())
                .hasSizeGreaterThan(30)
                .allSatisfy(rule -> assertThat(Fixtures.ROOT.resolve(rule)).isDirectory());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theServerSaysWhatTheRuleSays(Path file) {
        String namespace = API.newNamespace();
        List<ObjectNode> documents = Fixtures.history(file);
        if (documents.size() > 1) {
            deploy(documents.getFirst(), namespace);
        }
        boolean valid = file.getFileName().toString().startsWith("valid");
        String rule = file.getParent().getFileName().toString();

        var outcome = assertThatCode(() -> store(documents.getLast(), namespace));

        if (valid) {
            outcome.doesNotThrowAnyException();
        } else {
            outcome.isInstanceOf(KubernetesClientException.class)
                    .message()
                    .containsAnyOf(rule + ":", "metadata.name");
        }
    }

    @Test
    void whatWasStoredBeforeTheRulesCanStillBeWrittenTo() {
        String namespace = API.newNamespace();
        List<ObjectNode> stored = invalid();
        try {
            install(Crds.all(API.client()).stream().map(CelIT::withoutRules).toList());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThatCode(() -> store(stored.getFirst(), namespace))
                                            .doesNotThrowAnyException());
            stored.stream().skip(1).forEach(resource -> store(resource, namespace));
        } finally {
            install(Crds.all(API.client()));
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThatCode(() -> store(stored.getFirst(), API.newNamespace()))
                                        .isInstanceOf(KubernetesClientException.class));

        for (ObjectNode resource : stored) {
            GenericKubernetesResource live = resource(resource, namespace).get();
            live.getMetadata().setFinalizers(List.of("example.org/keep"));
            GenericKubernetesResource labelled = API.client().resource(live).update();
            labelled.setAdditionalProperty("status", Map.of("error", "none"));
            API.client().resource(labelled).updateStatus();
            live = resource(resource, namespace).get();
            live.getMetadata().setFinalizers(List.of());
            API.client().resource(live).update();
        }
    }

    @Test
    void aJobOfAnOldVersionCanStillBeSavepointed() {
        String namespace = API.newNamespace();
        var nonce = Fixtures.ROOT.resolve("flink-version-unsupported/valid-savepointed.yaml");
        List<ObjectNode> history = Fixtures.history(nonce);
        try {
            install(Crds.all(API.client()).stream().map(CelIT::withoutRules).toList());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThatCode(() -> store(history.getFirst(), namespace))
                                            .doesNotThrowAnyException());
        } finally {
            install(Crds.all(API.client()));
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThatCode(() -> store(history.getFirst(), API.newNamespace()))
                                        .isInstanceOf(KubernetesClientException.class));

        var changed = store(history.getLast(), namespace);

        assertThat(changed.<Integer>get("spec", "job", "savepointTriggerNonce")).isEqualTo(1);
    }

    /** One resource for each rule that looks at a spec alone, under a name of its own. */
    private static List<ObjectNode> invalid() {
        List<ObjectNode> invalid =
                examples().stream()
                        .filter(file -> file.getFileName().toString().startsWith("invalid"))
                        .map(Fixtures::history)
                        .filter(documents -> documents.size() == 1)
                        .map(List::getFirst)
                        .filter(
                                document ->
                                        document.at("/metadata/name")
                                                .asText()
                                                .matches("[-a-z0-9]*[a-z0-9]"))
                        .toList();
        for (int i = 0; i < invalid.size(); i++) {
            var metadata = invalid.get(i).withObjectProperty("metadata");
            metadata.put("name", metadata.path("name").asText() + "-" + i);
        }
        return invalid;
    }

    private static void deploy(ObjectNode document, String namespace) {
        GenericKubernetesResource stored = store(document, namespace);
        stored.setAdditionalProperty("status", Fixtures.statusOf(document));
        API.client().resource(stored).updateStatus();
    }

    private static GenericKubernetesResource store(ObjectNode document, String namespace) {
        Resource<GenericKubernetesResource> resource = resource(document, namespace);
        GenericKubernetesResource live = resource.get();
        if (live == null) {
            return resource.create();
        }
        GenericKubernetesResource next = resource.item();
        next.getMetadata().setResourceVersion(live.getMetadata().getResourceVersion());
        return API.client().resource(next).update();
    }

    private static Resource<GenericKubernetesResource> resource(
            ObjectNode document, String namespace) {
        ObjectNode copy = document.deepCopy();
        copy.remove("status");
        copy.withObjectProperty("metadata").put("namespace", namespace);
        return API.client()
                .resource(
                        Serialization.unmarshal(copy.toString(), GenericKubernetesResource.class));
    }

    private static void install(List<CustomResourceDefinition> crds) {
        crds.forEach(crd -> API.client().resource(crd).update());
    }

    private static CustomResourceDefinition withoutRules(CustomResourceDefinition crd) {
        crd.getSpec()
                .getVersions()
                .forEach(version -> strip(version.getSchema().getOpenAPIV3Schema()));
        return crd;
    }

    private static void strip(JSONSchemaProps schema) {
        schema.setXKubernetesValidations(List.of());
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(CelIT::strip);
        }
    }
}
