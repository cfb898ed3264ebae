// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.readiness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.process.LiveConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {
    @TempDir private Path folder;

    @Test
    void needsNoFolder() {
        try (var none = files(LiveConfiguration.awaited(Optional.empty(), _ -> {}))) {
            none.start();

            assertThat(none.missing()).isEmpty();
        }
    }

    @Test
    void isMissingUntilItCouldBeReadOnce() throws Exception {
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), _ -> {});
        try (var files = files(live)) {
            write("- a list\n");
            live.look();
            assertThat(files.missing())
                    .hasValueSatisfying(
                            line ->
                                    assertThat(line)
                                            .startsWith("configuration: ")
                                            .contains("config.yaml"));

            write("parallelism.default: 2\n");
            live.look();
            write("{ broken");
            live.look();

            assertThat(files.missing()).isEmpty();
        }
    }

    @Test
    void areFollowedAsOftenAsTheyAsk() throws Exception {
        String often = "kubernetes.operator.dynamic.config.check.interval: 20 ms\n";
        write(often);
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), _ -> {});
        try (var files = files(live)) {
            files.start();

            write(often + "parallelism.default: 2\n");

            await().atMost(Duration.ofSeconds(3))
                    .until(() -> live.get().base().get("parallelism.default").isPresent());
        }
    }

    private static ConfigurationFiles files(LiveConfiguration live) {
        return new ConfigurationFiles(live);
    }

    private void write(String yaml) throws Exception {
        Files.writeString(folder.resolve("config.yaml"), yaml);
    }
}
