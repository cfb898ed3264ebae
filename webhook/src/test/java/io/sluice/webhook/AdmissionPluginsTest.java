// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.Lookup;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
                "kubernetes.operator.plugins.house.forbidden: flink:1.20\n");
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

    private Judgement judged(ObjectNode review) {
        var plugins =
                AdmissionPlugins.load(
                        Map.of("SLUICE_PLUGIN_DIR", folder.resolve("plugins").toString()),
                        DefaultConfiguration.load(folder.resolve("conf")));
        return new Admission(DefaultConfiguration.NONE, Lookup.NOTHING, plugins)
                .judge(AdmissionRequest.read(review).orElseThrow());
    }
}
