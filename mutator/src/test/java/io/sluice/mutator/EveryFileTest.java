// SPDX-License-Identifier: Apache-2.0
package io.sluice.mutator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.zjsonpatch.JsonPatch;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.defaults.Default;
import io.sluice.rules.defaults.Defaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every resource that lies in this repository. */
class EveryFileTest {
    private static final List<Path> FOLDERS =
            List.of(Path.of("../examples"), Path.of("../rules/src/test/resources"));

    /** A resource of ours and the file it is in. */
    private record Sample(Path file, ResourceKind kind, ObjectNode resource) {
        ObjectNode mutated() {
            return Mutator.patch(kind, resource)
                    .map(patch -> (ObjectNode) JsonPatch.apply(patch, resource))
                    .orElse(resource);
        }
    }

    @Test
    void aSecondMutationChangesNothing() {
        assertThat(samples())
                .hasSizeGreaterThan(200)
                .allSatisfy(
                        sample ->
                                assertThat(Mutator.patch(sample.kind(), sample.mutated()))
                                        .isEmpty());
    }

    @Test
    void nothingChangesButWhatADefaultNames() {
        assertThat(samples())
                .allSatisfy(
                        sample -> {
                            ObjectNode mutated = sample.mutated().deepCopy();
                            ObjectNode original = sample.resource().deepCopy();
                            forget(mutated);
                            forget(original);
                            assertThat(mutated).isEqualTo(original);
                        });
    }

    @Test
    void aCompletedSpecIsTheSameSpec() {
        assertThat(samples())
                .allSatisfy(
                        sample ->
                                assertThat(
                                                Defaults.isSameSpec(
                                                        sample.kind(),
                                                        sample.resource(),
                                                        sample.mutated()))
                                        .isTrue());
    }

    @Test
    void theOriginalIsLeftAsItWas() {
        assertThat(samples())
                .allSatisfy(
                        sample -> {
                            ObjectNode before = sample.resource().deepCopy();
                            Mutator.patch(sample.kind(), sample.resource());
                            assertThat(sample.resource()).isEqualTo(before);
                        });
    }

    /** Removes what defaults may set, and the parents they may have made. */
    private static void forget(ObjectNode resource) {
        for (Default each : Defaults.ALL) {
            if (resource.at(each.parent()) instanceof ObjectNode parent) {
                parent.remove(each.field());
            }
        }
        if (resource.at("/metadata/labels").isEmpty()) {
            resource.withObjectProperty("metadata").remove("labels");
        }
    }

    private static List<Sample> samples() {
        return FOLDERS.stream().flatMap(EveryFileTest::files).flatMap(EveryFileTest::read).toList();
    }

    private static Stream<Path> files(Path folder) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Sample> read(Path file) {
        try (var documents =
                new YAMLMapper()
                        .readerFor(JsonNode.class)
                        .<JsonNode>readValues(Files.readString(file))) {
            return documents.readAll().stream()
                    .filter(ObjectNode.class::isInstance)
                    .map(ObjectNode.class::cast)
                    .flatMap(
                            document ->
                                    Optional.ofNullable(
                                            ResourceKind.WORDS.get(
                                                    document.path("kind").asText("")))
                                            .map(kind -> new Sample(file, kind, document))
                                            .stream());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file.toString(), unreadable);
        }
    }
}
