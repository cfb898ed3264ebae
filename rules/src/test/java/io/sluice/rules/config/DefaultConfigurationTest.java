// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultConfigurationTest {
    private static final String OVERLAY = "kubernetes.operator.default-configuration.";

    @TempDir private Path folder;

    @Test
    void readsNestedAndFlatKeysOfConfigYaml() throws Exception {
        Files.writeString(folder.resolve("config.yaml"), "a: {b: 1}\nc.d: [x, y]\n");

        assertThat(DefaultConfiguration.load(folder).base().entries())
                .isEqualTo(Map.of("a.b", "1", "c.d", "x;y"));
    }

    @Test
    void readsTheOlderFileIfThereIsNoNewer() throws Exception {
        Files.writeString(
                folder.resolve("flink-conf.yaml"), "# why\na.b: s3://x#y # note\n\nc: 2\n");

        assertThat(DefaultConfiguration.load(folder).base().entries())
                .isEqualTo(Map.of("a.b", "s3://x#y", "c", "2"));
    }

    @Test
    void takesTheOlderFileBeforeTheNewerAsFlinkDoes() throws Exception {
        write("config.yaml", "a: newer\nb: newer\n");
        write("flink-conf.yaml", "a: older\n");

        assertThat(load()).isEqualTo(Map.of("a", "older"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\n"})
    void aBlankOlderFileIsNone(String text) throws Exception {
        write("config.yaml", "a: newer\n");
        write("flink-conf.yaml", text);

        assertThat(load()).isEqualTo(Map.of("a", "newer"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"flink-conf.yaml", "config.yaml"})
    void laysTheUsersFileOverTheDefaults(String users) throws Exception {
        write("defaults.yaml", "a: default\nb:\n  c: default\n  d: default\n");
        write(users, "b.c: user\ne: user\n");

        assertThat(load())
                .isEqualTo(Map.of("a", "default", "b.c", "user", "b.d", "default", "e", "user"));
    }

    @Test
    void readsTheDefaultsAloneIfTheUserHasNoFile() throws Exception {
        write("defaults.yaml", "a.b: default\n");

        assertThat(load()).isEqualTo(Map.of("a.b", "default"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                OVERLAY + "namespace.shop.",
                OVERLAY + "flink-version.v1_20+.",
            })
    void aUsersOlderSpellingWinsOverADefaultsNewer(String layer) throws Exception {
        write("defaults.yaml", layer + "kubernetes.operator.reconcile.interval: 15 s\n");
        write("config.yaml", layer + "kubernetes.operator.reconciler.reschedule.interval: 1 min\n");

        assertThat(
                        DefaultConfiguration.load(folder)
                                .granted("shop", Optional.of(FlinkVersion.V1_20))
                                .entries())
                .isEqualTo(Map.of("kubernetes.operator.reconcile.interval", "1 min"));
    }

    @Test
    void namesTheDefaultsIfItCannotReadThem() throws Exception {
        write("defaults.yaml", "- a list\n");
        write("config.yaml", "a: b\n");

        assertThatThrownBy(() -> DefaultConfiguration.load(folder))
                .hasMessageContaining("defaults.yaml");
    }

    @Test
    void isEmptyWithoutAFileOrFolder() throws Exception {
        Files.writeString(folder.resolve("other"), "");
        assertThat(DefaultConfiguration.load(folder)).isEqualTo(DefaultConfiguration.NONE);
        assertThat(DefaultConfiguration.load(folder.resolve("absent")))
                .isEqualTo(DefaultConfiguration.NONE);
    }

    @Test
    void namesTheFileThatItCannotRead() throws Exception {
        Files.writeString(folder.resolve("config.yaml"), "a: [");
        assertThatThrownBy(() -> DefaultConfiguration.load(folder))
                .hasMessageContaining("config.yaml");
    }

    @Test
    void laysTheMoreSpecificOverTheMoreGeneral() {
        var defaults =
                defaults(
                        Map.of(
                                "a",
                                "base",
                                "b",
                                "base",
                                OVERLAY + "namespace.ns.b",
                                "namespace",
                                OVERLAY + "namespace.ns.c",
                                "namespace",
                                OVERLAY + "namespace.other.a",
                                "never",
                                OVERLAY + "flink-version.v1_18+.c",
                                "from 1.18",
                                OVERLAY + "flink-version.v1_18+.d",
                                "from 1.18",
                                OVERLAY + "flink-version.v1_20+.d",
                                "from 1.20",
                                OVERLAY + "flink-version.v1_20.e",
                                "exactly 1.20",
                                OVERLAY + "flink-version.v2_0+.a",
                                "never"));

        var effective =
                defaults.effective(
                        "ns",
                        Optional.of(FlinkVersion.V1_20),
                        new FlinkConfiguration(Map.of("f", "own")));

        assertThat(effective.entries())
                .isEqualTo(
                        Map.of(
                                "a", "base",
                                "b", "namespace",
                                "c", "from 1.18",
                                "d", "from 1.20",
                                "e", "exactly 1.20",
                                "f", "own"));
    }

    @Test
    void theResourcesOlderSpellingWinsOverTheDefaultsNewer() {
        var defaults = defaults(Map.of("execution.checkpointing.dir", "s3://default"));

        var effective =
                effective(
                        defaults, FlinkVersion.V1_20, Map.of("state.checkpoints.dir", "s3://own"));

        assertThat(effective)
                .containsEntry("execution.checkpointing.dir", "s3://own")
                .containsEntry("state.checkpoints.dir", "s3://own");
    }

    @Test
    void flink2GetsTheNewestSpellingOnly() {
        var effective =
                effective(
                        DefaultConfiguration.NONE,
                        FlinkVersion.V2_0,
                        Map.of(
                                "high-availability",
                                "kubernetes",
                                "high-availability.storageDir",
                                "x"));

        assertThat(effective)
                .isEqualTo(
                        Map.of(
                                "high-availability.type", "kubernetes",
                                "high-availability.storageDir", "x"));
    }

    @Test
    void theAutoscalersKeysAreReadWithAndWithoutTheOperatorsPrefix() {
        var effective =
                effective(
                        DefaultConfiguration.NONE,
                        FlinkVersion.V1_20,
                        Map.of(
                                "kubernetes.operator.job.autoscaler.enabled", "true",
                                "kubernetes.operator.job.autoscaler.target.utilization", "0.6"));

        assertThat(effective)
                .isEqualTo(
                        Map.of(
                                "job.autoscaler.enabled", "true",
                                "job.autoscaler.utilization.target", "0.6"));
    }

    private void write(String file, String text) throws Exception {
        Files.writeString(folder.resolve(file), text);
    }

    private Map<String, String> load() {
        return DefaultConfiguration.load(folder).base().entries();
    }

    private static Map<String, String> effective(
            DefaultConfiguration defaults, FlinkVersion version, Map<String, String> spec) {
        return defaults.effective("ns", Optional.of(version), new FlinkConfiguration(spec))
                .entries();
    }

    private static DefaultConfiguration defaults(Map<String, String> entries) {
        return new DefaultConfiguration(new FlinkConfiguration(entries));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.operator.admission.pod-security",
                "kubernetes.operator.pod-security.fill-in",
                "kubernetes.operator.pod-security.fixed-user"
            })
    void aResourceDoesNotSayHowItsPodsAreSecured(String key) {
        var own = new FlinkConfiguration(Map.of(key, "resource's", "a", "b"));
        var platforms = new FlinkConfiguration(Map.of(key, "platform's"));

        assertThat(DefaultConfiguration.NONE.effective("shop", Optional.empty(), own).entries())
                .isEqualTo(Map.of("a", "b"));
        assertThat(
                        new DefaultConfiguration(platforms)
                                .effective("shop", Optional.empty(), own)
                                .entries())
                .isEqualTo(Map.of("a", "b", key, "platform's"));
    }
}
