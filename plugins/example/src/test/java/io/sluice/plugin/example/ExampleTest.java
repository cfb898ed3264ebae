// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugins.Plugins;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example as a jar in a folder, as a process finds it. */
class ExampleTest {
    private static final Plugins.WithSpec KEEPING =
            (resource, spec) ->
                    new Resource(
                            resource.kind(),
                            resource.namespace(),
                            resource.name(),
                            "{\"spec\":" + spec + "}");

    @TempDir private Path folder;

    @BeforeEach
    void putTheJarThere() throws IOException {
        Path jar = Files.createDirectories(folder.resolve("example")).resolve("example.jar");
        Path classes = Path.of("target/classes");
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file);
                var found = Files.walk(classes)) {
            for (Path each : found.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }

    @Test
    void refusesAnImageFromElsewhere() {
        Plugins plugins = load();

        assertThat(review(plugins, "docker.example.com/flink:1.20").all())
                .containsExactly(
                        new Problem(
                                "spec.image",
                                "comes from elsewhere; use an image of reg.example.org"));
        assertThat(review(plugins, "reg.example.org/flink:1.20").all()).isEmpty();
    }

    @Test
    void addsAPullPolicyAndLeavesOneThatIsThere() {
        Plugins plugins = load();

        assertThat(plugins.complete(resource("flink:1.20"), KEEPING, _ -> {}))
                .contains(
                        "{\"imagePullPolicy\":\"Always\",\"image\":\"flink:1.20\",\"job\":{\"args\":[\"}\"]}}");
        assertThat(
                        plugins.complete(
                                new Resource(
                                        "FlinkDeployment",
                                        "shop",
                                        "orders",
                                        "{\"spec\":{\"imagePullPolicy\":\"Never\"}}"),
                                KEEPING,
                                _ -> {}))
                .isEmpty();
    }

    @Test
    void isLoadedApartFromEverythingElse() {
        Plugins plugins = load();

        assertThat(plugins.hasListeners()).isTrue();
        assertThat(plugins.loaders())
                .isNotEmpty()
                .allSatisfy(loader -> assertThat(loader).isNotSameAs(getClass().getClassLoader()));
        plugins.statusChanged(resource("flink:1.20"), "JobRunning");
    }

    @Test
    void anOptionThatIsMissingKeepsTheProcessFromStarting() {
        assertThatThrownBy(() -> Plugins.load(folder, _ -> Map.of()))
                .isInstanceOf(Plugins.Unusable.class)
                .hasMessageContaining("example")
                .hasMessageContaining("the option registry is missing");
    }

    @Test
    void noFolderMeansNoPlugins() {
        Plugins none = Plugins.load(folder.resolve("nowhere"), _ -> Map.of());

        assertThat(review(none, "any").all()).isEmpty();
        assertThat(none.hasListeners() || none.hasMutators()).isFalse();
    }

    private static Plugins.Findings review(Plugins plugins, String image) {
        return plugins.review(resource(image), _ -> {});
    }

    private Plugins load() {
        return Plugins.load(folder, _ -> Map.of("registry", "reg.example.org"));
    }

    private static Resource resource(String image) {
        return new Resource(
                "FlinkDeployment",
                "shop",
                "orders",
                "{\"spec\":{\"image\":\"" + image + "\",\"job\":{\"args\":[\"}\"]}}}");
    }
}
