// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.config.DefaultConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {
    private final WebhookMetrics metrics = new WebhookMetrics();
    private final List<DefaultConfiguration> used = new ArrayList<>();

    @TempDir private Path folder;
    private ConfigurationFiles files;

    @BeforeEach
    void look() {
        files = new ConfigurationFiles(Optional.of(folder), used::add, metrics);
    }

    @Test
    void needsNoFolder() {
        var none = new ConfigurationFiles(Optional.empty(), used::add, metrics);
        none.start();

        assertThat(none.missing()).isEmpty();
        assertThat(used).containsExactly(DefaultConfiguration.NONE);
    }

    @Test
    void isMissingWhileItCannotBeReadAndThereAgainOnceItCan() throws Exception {
        write("- a list\n");
        files.pass();
        assertThat(files.missing())
                .hasValueSatisfying(
                        line ->
                                assertThat(line)
                                        .startsWith("configuration: ")
                                        .contains("config.yaml")
                                        .doesNotContain("\n"));
        assertThat(good()).isZero();

        write("parallelism.default: 2\n");
        files.pass();
        assertThat(files.missing()).isEmpty();
        assertThat(good()).isEqualTo(1);
        assertThat(used).hasSize(1);
    }

    @Test
    void goesOnWithTheLastGoodOneAndTakesTheNext() throws Exception {
        write("parallelism.default: 2\n");
        files.pass();
        write("{ broken");
        files.pass();
        assertThat(files.missing()).isEmpty();
        assertThat(good()).isZero();

        write("parallelism.default: 3\n");
        files.pass();
        files.pass();
        assertThat(used)
                .extracting(each -> each.base().entries().get("parallelism.default"))
                .containsExactly("2", "3");
    }

    private double good() {
        return metrics.registry().getSampleValue("sluice_configuration_good");
    }

    private void write(String yaml) throws Exception {
        Files.writeString(folder.resolve("config.yaml"), yaml);
    }
}
