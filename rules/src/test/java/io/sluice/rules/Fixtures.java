// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.Parsed;
import io.sluice.api.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of examples, one per rule. */
final class Fixtures {
    static final Path ROOT = Path.of("src/test/resources");

    private Fixtures() {}

    static List<Path> of(String rule, String kind) {
        try (Stream<Path> files = Files.list(ROOT.resolve(rule))) {
            return files.filter(file -> file.getFileName().toString().startsWith(kind + "-"))
                    .sorted()
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException("no examples of " + rule, missing);
        }
    }

    /** One document is a first deployment; of two, the first is what was deployed before. */
    static Parsed<DeploymentReview> review(Path file) {
        List<ObjectNode> documents = documents(file);
        var review =
                DeploymentReview.read(
                        ReviewRequest.of(ResourceKind.FLINK_DEPLOYMENT, documents.getLast()),
                        DefaultConfiguration.NONE);
        if (documents.size() == 1) {
            return review;
        }
        var old = FlinkDeploymentSpec.parse(documents.getFirst().path("spec"), "spec").value();
        return new Parsed<>(review.value().withOld(old), review.problems());
    }

    private static List<ObjectNode> documents(Path file) {
        var yaml = new YAMLMapper();
        try (var documents =
                yaml.readerFor(ObjectNode.class).<ObjectNode>readValues(Files.readString(file))) {
            return documents.readAll();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file.toString(), unreadable);
        }
    }
}
