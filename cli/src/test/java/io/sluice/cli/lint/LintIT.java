// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.Orders;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import io.sluice.cli.schema.SchemaReview;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.Violation;
import io.sluice.testkit.ApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The verdict of {@code sluice lint} against that of a real API server, which is asked as {@code
 * kubectl} asks it: unknown fields are refused.
 */
class LintIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final Path EXAMPLES = Path.of("../rules/src/test/resources");

    static List<Path> examples() {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !isOfAnExistingResource(file))
                    .sorted()
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** Its version of Flink is no longer supported, so that nobody can create it here. */
    private static boolean isOfAnExistingResource(Path file) {
        return file.startsWith(EXAMPLES.resolve("flink-version-unsupported"))
                && Documents.read(List.of(file.toString()), System.in).size() > 1;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void bothSayTheSameOfTheExamplesOfARule(Path file) {
        Document subject = Documents.read(List.of(file.toString()), System.in).getLast();
        ResourceKind kind =
                Optional.ofNullable(ResourceKind.WORDS.get(subject.kind())).orElseThrow();
        boolean isRefused = !SchemaReview.of(kind, subject.content()).isEmpty();
        boolean isValid = file.getFileName().toString().startsWith("valid");

        Optional<String> refusal = refusal(subject);

        if (isValid || isRefused) {
            assertThat(refusal.isPresent()).as(refusal.orElse("accepted")).isEqualTo(isRefused);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.jobManger | {}",
                "spec.job.upgrademode | savepoint",
                "spec.job.args | text",
                "spec.job.args | [1]",
                "spec.job.args | [null]",
                "spec.job.parallelism | two",
                "spec.job.parallelism | 1.5",
                "spec.job.parallelism | 0",
                "spec.job.allowNonRestoredState | maybe",
                "spec.jobManager.resource.cpu | half",
                "spec.jobManager.resource.memory | plenty",
                "spec.jobManager.resources.limits.cpu | 0.5",
                "spec.jobManager.replicas | 0",
                "spec.flinkVersion | v9_9",
                "spec.flinkVersion | v1_14",
                "spec.podTemplate | 5",
                "spec.ingress | {annotations: {a: 1}}",
                "spec.ingress | {tls: [{host: a}]}",
                "spec.logConfiguration | {log4j.properties: x}",
                "metadata.label | {a: b}",
                "metadata.labels | {a: 1}",
                "metadata.labels | {a: 'b c'}",
                "metadata.labels | {a/b/c: x}",
                "metadata.annotations | {-a: x}",
                "metadata.finalizers | text",
                "metadata.ownerReferences | [{name: a}]",
                "metadata.name | Orders",
                "metadata.name | null",
                "statsu | {}",
            })
    void bothRefuseAndNameTheField(String path, String value) {
        Document document = with(path, value);
        String field = path.substring(path.lastIndexOf('.') + 1);

        assertThat(problems(document)).isNotEmpty();
        assertThat(problems(document))
                .anySatisfy(problem -> assertThat(problem.problem().path()).startsWith(path));
        assertThatThrownBy(() -> create(document))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(field);
    }

    @Test
    void refusesForTheWebhookANumberThatTheSchemaAcceptsAndFlinkCannotHold() {
        Document document = with("spec.job.parallelism", "3000000000");

        assertThat(problems(document))
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem.rule()).isEqualTo(RuleSet.FIELD_TYPE);
                            assertThat(problem.problem().path()).isEqualTo("spec.job.parallelism");
                        });
        assertThatCode(() -> create(document)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.job.parallelism | 2.0",
                "spec.job.savepointTriggerNonce | null",
                "spec.job.entryClass | null",
                "spec.flinkConfiguration | {any: {thing: [1, yes]}}",
                "spec.podTemplate | {spec: {containers: [{name: a, image: b, anything: 1}]}}",
                "spec.jobManager.resources.limits | {memory: 1Gi, cpu: 2}",
                "spec.jobManager.resource.cpu | 0.5",
                "metadata.labels | {example.org/team_1: a.b-c_D}",
                "metadata.labels | {a: ''}",
                "metadata.annotations | {Example.org/x: any thing}",
                "metadata.generateName | orders-",
                "status | {lifecycleState: STABLE}",
                "status | {jobManagerDeploymentStatus: 5}",
                "status | {lifecycleStat: X}",
            })
    void bothAccept(String path, String value) {
        Document document = with(path, value);

        assertThat(problems(document)).extracting(Violation::text).isEmpty();
        assertThatCode(() -> create(document)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flink.apache.org/v1alpha1 FlinkDeployment",
                "flink.apache.org/v1beta1 FlinkDeploymnt",
                "flink.apach.org/v1beta1 FlinkDeployment",
            })
    void bothKnowNoOtherKindsAndVersions(String type) {
        String[] words = type.split(" ", 2);
        Document document =
                read(
                        Orders.YAML
                                .replace("flink.apache.org/v1beta1", words[0])
                                .replace("kind: FlinkDeployment", "kind: " + words[1]));

        assertThat(problems(document)).hasSize(1);
        assertThatThrownBy(() -> create(document)).isInstanceOf(KubernetesClientException.class);
    }

    private static List<Violation> problems(Document document) {
        return new Lint(DefaultConfiguration.NONE, "sluice-system", "")
                .review(List.of(document))
                .results()
                .getFirst()
                .findings()
                .problems();
    }

    private static Optional<String> refusal(Document document) {
        try {
            create(document);
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    private static void create(Document document) {
        ObjectNode resource = document.content().deepCopy();
        String namespace = API.newNamespace();
        resource.withObjectProperty("metadata").put("namespace", namespace);
        API.client()
                .raw(
                        "/apis/%s/namespaces/%s/%ss?fieldValidation=Strict"
                                .formatted(
                                        document.apiVersion(),
                                        namespace,
                                        document.kind().toLowerCase(Locale.ROOT)),
                        "POST",
                        resource.toString());
    }

    private static Document with(String path, String value) {
        Document document = read(Orders.YAML);
        ObjectNode parent = document.content();
        List<String> keys = List.of(path.split("\\.", -1));
        for (String key : keys.subList(0, keys.size() - 1)) {
            parent = parent.withObjectProperty(key);
        }
        parent.set(keys.getLast(), read("value: " + value).content().path("value"));
        return document;
    }

    private static Document read(String yaml) {
        return Documents.single(
                "-", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }
}
