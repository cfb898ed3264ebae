// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.client.CollectorRegistry;
import io.sluice.process.metric.ConfigurationMetrics;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveConfigurationTest {
    @TempDir private Path folder;
    private final List<DefaultConfiguration> changed = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    @Test
    void takesUpAChangeOfItsFiles() throws IOException {
        write("kubernetes.operator.reconcile.interval: 1 min");
        LiveConfiguration live = start();
        String before = live.get().fingerprint();

        write("kubernetes.operator.reconcile.interval: 2 min");
        live.look();
        live.look();

        assertThat(live.get().base().get("kubernetes.operator.reconcile.interval"))
                .contains("2 min");
        assertThat(changed).hasSize(1);
        assertThat(live.get().fingerprint()).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"defaults.yaml", "flink-conf.yaml"})
    void takesUpAChangeOfEachFileBesideTheUsers(String other) throws IOException {
        write("a: b");
        Files.writeString(folder.resolve(other), "b: before");
        LiveConfiguration live = start();
        String before = live.get().fingerprint();

        Files.writeString(folder.resolve(other), "b: after");
        live.look();

        assertThat(live.get().base().get("b")).contains("after");
        assertThat(changed).containsExactly(live.get());
        assertThat(live.get().fingerprint()).isNotEqualTo(before);
    }

    @Test
    void refusesABadOneAsAWholeAndKeepsTheOneBefore() throws IOException {
        write("kubernetes.operator.reconcile.interval: 1 min");
        LiveConfiguration live = start();

        write("kubernetes.operator.reconcile.interval: often\nparallelism.default: 7");
        live.look();
        live.look();

        assertThat(live.isGood()).isFalse();
        assertThat(live.get().base().get("parallelism.default")).isEmpty();
        assertThat(changed).isEmpty();
        assertThat(refused)
                .singleElement()
                .asString()
                .contains("kubernetes.operator.reconcile.interval: 'often'");
    }

    @Test
    void recoversWhenTheFilesAreGoodAgain() throws IOException {
        write("a: b");
        LiveConfiguration live = start();
        write("- no map");
        live.look();
        assertThat(live.isGood()).isFalse();

        write("a: c");
        live.look();

        assertThat(live.isGood()).isTrue();
        assertThat(live.get().base().get("a")).contains("c");
    }

    @Test
    void doesNotStartWithABadOne() throws IOException {
        write("kubernetes.operator.ingress.manage: perhaps");

        assertThatThrownBy(this::start)
                .isInstanceOf(LiveConfiguration.Unusable.class)
                .hasMessageContaining("kubernetes.operator.ingress.manage: 'perhaps'");
    }

    @Test
    void whereItCanBeWaitedForItIsThereOnceTheFilesCanBeUsed() throws IOException {
        write("- a list");
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), changed::add);
        live.look();
        assertThat(live.isRead()).isFalse();
        assertThat(live.isGood()).isFalse();
        assertThat(live.flaw())
                .hasValueSatisfying(
                        line -> assertThat(line).contains("config.yaml").doesNotContain("\n"));
        assertThatThrownBy(live::get).isInstanceOf(IllegalStateException.class);

        write("a: b");
        live.look();
        live.look();

        assertThat(live.isGood()).isTrue();
        assertThat(changed).containsExactly(live.get());
    }

    @Test
    void withoutAFolderItHasNoEntries() {
        LiveConfiguration live =
                LiveConfiguration.start(Optional.empty(), changed::add, refused::add);

        assertThat(live.get()).isEqualTo(DefaultConfiguration.NONE);
    }

    @Test
    void showsWhatIsInUseAndWhetherTheFilesCanBe() throws IOException {
        write("a: b");
        LiveConfiguration live = start();
        var registry = new CollectorRegistry();
        registry.register(new ConfigurationMetrics(live));
        String before = live.get().fingerprint();
        assertThat(info(registry, before)).isEqualTo(1);

        write("a: c");
        live.look();
        write("- no map");
        live.look();

        assertThat(info(registry, before)).as("the series of the one before").isNull();
        assertThat(info(registry, live.get().fingerprint())).isEqualTo(1);
        assertThat(registry.getSampleValue("sluice_configuration_good")).isZero();
    }

    private static @Nullable Double info(CollectorRegistry registry, String fingerprint) {
        return registry.getSampleValue(
                "sluice_configuration_info",
                new String[] {"fingerprint"},
                new String[] {fingerprint});
    }

    private LiveConfiguration start() {
        return LiveConfiguration.start(Optional.of(folder), changed::add, refused::add);
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), text);
    }
}
