// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of examples, one per rule. The last document of a file is the subject; one of the
 * same kind and name before it is what was deployed before; the others are its surroundings. A
 * document without a kind is the operator's configuration.
 */
final class Fixtures {
    static final Path ROOT = Path.of("src/test/resources");
    private static final Path CRDS = Path.of("../helm/sluice/crds");

    private static final Pattern LONG_TEXT = Pattern.compile("\\[(\\d{1,6}) (letters|quotes)]");

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

    static Findings review(Path file) {
        return by(Reviewer::review, file);
    }

    /** What the operator, who has nobody to warn, finds in the same example. */
    static List<Violation> problems(Path file) {
        return by(Reviewer::problems, file);
    }

    /** One of the ways in. */
    private interface Way<T> {
        T review(Reviewer reviewer, ReviewRequest request, Lookup lookup);
    }

    private static <T> T by(Way<T> way, Path file) {
        List<ObjectNode> documents = documents(file);
        ObjectNode subject = documents.getLast().deepCopy();
        Optional<ObjectNode> stored =
                history(file).stream().limit(history(file).size() - 1L).findFirst();
        stored.ifPresent(before -> subject.set("status", statusOf(before)));
        ReviewRequest request = ReviewRequest.of(kind(subject), subject);
        return way.review(
                new Reviewer(configuration(documents)),
                new ReviewRequest(
                        request.kind(), request.namespace(), request.name(), subject, stored),
                lookup(documents));
    }

    /** What a document has itself, and what the operator writes of it once it is deployed. */
    static ObjectNode statusOf(ObjectNode document) {
        ObjectNode status = document.deepCopy().withObjectProperty("status");
        if (kind(document) != ResourceKind.FLINK_STATE_SNAPSHOT) {
            ObjectNode spec = (ObjectNode) document.get("spec");
            status.withObjectProperty("reconciliationStatus")
                    .put("lastReconciledSpec", new ReconciledSpec(spec, false).encode());
        }
        return status;
    }

    /** The subject, and before it what was deployed before. */
    static List<ObjectNode> history(Path file) {
        List<ObjectNode> documents = documents(file);
        return documents.stream()
                .filter(document -> isSame(document, documents.getLast()))
                .toList();
    }

    /** The rules that the CRDs know too: each of their messages begins with one. */
    static Set<String> crdRules() {
        Set<String> rules = new TreeSet<>();
        try (Stream<Path> files = Files.list(CRDS)) {
            files.forEach(file -> collect(documents(file).getFirst(), rules));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
        return rules;
    }

    private static void collect(JsonNode schema, Set<String> rules) {
        schema.path("x-kubernetes-validations")
                .forEach(rule -> rules.add(rule.path("message").asText().split(":", 2)[0]));
        schema.forEach(below -> collect(below, rules));
    }

    /** Everything that is not in the file does not exist. */
    private static Lookup lookup(List<ObjectNode> documents) {
        return (kind, _, name) ->
                documents.stream()
                        .filter(document -> document.path("kind").asText("").equals(kind.wire()))
                        .filter(document -> answersTo(document).equals(name))
                        .findFirst()
                        .<Lookup.Answer>map(Lookup.Found::new)
                        .orElseGet(Lookup.Absent::new);
    }

    /** A document is found under its name, unless it says otherwise. */
    private static String answersTo(ObjectNode document) {
        return document.at("/metadata/annotations/answers-to")
                .asText(document.at("/metadata/name").asText(""));
    }

    private static DefaultConfiguration configuration(List<ObjectNode> documents) {
        return documents.stream()
                .filter(document -> !document.has("kind"))
                .findFirst()
                .map(FlinkConfiguration::of)
                .map(DefaultConfiguration::new)
                .orElse(DefaultConfiguration.NONE);
    }

    private static ResourceKind kind(ObjectNode document) {
        return Optional.ofNullable(ResourceKind.WORDS.get(document.path("kind").asText("")))
                .orElseThrow(() -> new IllegalArgumentException("kind: " + document.path("kind")));
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        return one.path("kind").equals(other.path("kind"))
                && one.at("/metadata/name").equals(other.at("/metadata/name"));
    }

    static List<ObjectNode> documents(Path file) {
        var yaml = new YAMLMapper();
        try (var documents =
                yaml.readerFor(ObjectNode.class)
                        .<ObjectNode>readValues(longTexts(Files.readString(file)))) {
            return documents.readAll();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file.toString(), unreadable);
        }
    }

    /** {@code [5 letters]} stands for that many, so that no example has to be as large. */
    private static String longTexts(String yaml) {
        return LONG_TEXT
                .matcher(yaml)
                .replaceAll(
                        text ->
                                (text.group(2).equals("letters") ? "x" : "\"")
                                        .repeat(Integer.parseInt(text.group(1))));
    }
}
