// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.process.Environment;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.webhook.HouseRules;
import io.sluice.webhook.Reviews;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plugin of one class, in a jar, before the webhook. */
class AdmissionPluginsTest {
    @TempDir private Path folder;
    private final List<String> unanswered = new ArrayList<>();

    @BeforeEach
    void putTheJarThere() throws IOException {
        Path jar = Files.createDirectories(folder.resolve("plugins/house")).resolve("house.jar");
        String name = HouseRules.class.getName();
        String file = name.replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream code =
                        Objects.requireNonNull(
                                HouseRules.class.getClassLoader().getResourceAsStream(file))) {
            out.putNextEntry(new JarEntry(file));
            code.transferTo(out);
            for (String type : new String[] {"Validator", "Mutator"}) {
                out.putNextEntry(new JarEntry("META-INF/services/io.sluice.plugin." + type));
                out.write(name.getBytes(UTF_8));
            }
        }
        Files.writeString(
                Files.createDirectories(folder.resolve("conf")).resolve("config.yaml"),
                """
                kubernetes.operator.plugins.house.forbidden: flink:1.20
                kubernetes.operator.admission.plugin-timeout: 300 ms
                """);
    }

    @Test
    void itsProblemsStandBesideTheBuiltInOnes() {
        var wrong = Reviews.yaml(Reviews.INVALID);

        Verdict verdict = judged(Reviews.create(wrong)).validated();

        assertThat(verdict.toString()).contains("not in this house").contains("flinkVersion");
    }

    @Test
    void whatItCompletesComesBeforeTheDefaults() {
        var right = Reviews.yaml(Reviews.VALID.replace("flink:1.20", "flink:1.20.5"));

        Verdict verdict = judged(Reviews.create(right)).mutated();

        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Completed.class,
                        completed -> {
                            assertThat(completed.patch().at("/0/path").asText()).isEqualTo("/spec");
                            assertThat(completed.patch().at("/0/value/image").asText())
                                    .isEqualTo("house/flink");
                            assertThat(completed.patch().toString())
                                    .contains("/spec/job/upgradeMode");
                        });
    }

    @Test
    void aValidatorThatDoesNotReturnHasTheReviewRefusedByItsNameAndTheLimit() {
        var endless = Reviews.yaml(Reviews.VALID.replace("flink:1.20", "flink:validator-hangs"));

        Verdict verdict = judged(Reviews.create(endless)).validated();

        assertThat(verdict.word()).isEqualTo("refused");
        assertThat(verdict.toString())
                .contains(
                        HouseRules.class.getName()
                                + " did not answer within 300 ms"
                                + " (kubernetes.operator.admission.plugin-timeout)");
        assertThat(unanswered).containsExactly(HouseRules.class.getName() + " timeout");
    }

    @Test
    void aMutatorThatDoesNotReturnHasTheReviewRefusedToo() {
        var endless = Reviews.yaml(Reviews.VALID.replace("flink:1.20", "flink:mutator-hangs"));

        AdmissionVerdict judgement = judged(Reviews.create(endless));

        assertThat(judgement.validated().word()).isEqualTo("allowed");
        assertThat(judgement.mutated().toString())
                .contains(HouseRules.class.getName() + " did not answer within 300 ms");
    }

    @Test
    void whatPluginsGaveNoAnswerToIsAskedAnew() {
        var admission = admission();
        byte[] body =
                Reviews.create(
                                Reviews.yaml(
                                        Reviews.VALID.replace("flink:1.20", "flink:mutator-hangs")))
                        .toString()
                        .getBytes(UTF_8);

        assertThat(admission.judge(body).orElseThrow().remembered()).isFalse();
        assertThat(admission.judge(body).orElseThrow().remembered()).isFalse();
        assertThat(unanswered).hasSize(2);
    }

    @Test
    void onceANamespacesPluginsAllHangNobodyWaitsForThemAndOthersAreReviewed() {
        var admission = admission();
        var endless = Reviews.yaml(Reviews.VALID.replace("flink:1.20", "flink:validator-hangs"));
        for (int i = 0; i < 8; i++) {
            admission.judge(AdmissionRequest.read(Reviews.create(endless)).orElseThrow());
        }
        unanswered.clear();

        Verdict own =
                admission
                        .judge(AdmissionRequest.read(Reviews.create(endless)).orElseThrow())
                        .validated();
        var other = Reviews.yaml(Reviews.VALID.replace("flink:1.20", "flink:1.20.5"));
        other.withObject("/metadata").put("namespace", "other");
        Verdict others =
                admission
                        .judge(AdmissionRequest.read(Reviews.create(other)).orElseThrow())
                        .mutated();

        assertThat(own.toString()).contains("do not return");
        assertThat(others.word()).isNotEqualTo("refused");
        assertThat(unanswered).containsExactly(" hanging");
    }

    private AdmissionVerdict judged(ObjectNode review) {
        return admission().judge(AdmissionRequest.read(review).orElseThrow());
    }

    private Admission admission() {
        var plugins =
                AdmissionPlugins.load(
                        new Environment(
                                Map.of("SLUICE_PLUGIN_DIR", folder.resolve("plugins").toString())),
                        DefaultConfiguration.load(folder.resolve("conf")),
                        (plugin, why) -> unanswered.add(plugin + " " + why));
        return new Admission(DefaultConfiguration.NONE, Lookup.NOTHING, plugins);
    }
}
