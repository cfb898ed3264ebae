// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                .isInstanceOf(Settings.Unusable.class)
                .hasMessageContaining("kubernetes.operator.ingress.manage: 'perhaps'");
    }

    private LiveConfiguration start() {
        return LiveConfiguration.start(folder, changed::add, refused::add);
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), text);
    }
}
