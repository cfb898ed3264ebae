// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationPollingTest {
    private static final String OFTEN =
            "kubernetes.operator.dynamic.config.check.interval: 20 ms\n";
    private static final String ONCE = "kubernetes.operator.dynamic.config.enabled: false\n";

    @TempDir private Path folder;

    @Test
    void takesUpWhatChanges() throws IOException {
        write(OFTEN);
        LiveConfiguration live = started();
        try (var following = new ConfigurationPolling(live)) {
            following.start();

            write(OFTEN + "a: b");

            await().until(() -> live.get().base().get("a").isPresent());
        }
    }

    @Test
    void readsTheFilesOnceIfTold() throws IOException {
        write(ONCE + OFTEN);
        LiveConfiguration live = started();
        try (var following = new ConfigurationPolling(live)) {
            following.start();

            write(OFTEN + "a: b");

            await().during(Duration.ofMillis(300))
                    .until(() -> live.get().base().get("a").isEmpty());
        }
    }

    @Test
    void anAwaitedFirstSaysToo() throws IOException {
        write(ONCE + OFTEN);
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), _ -> {});
        try (var following = new ConfigurationPolling(live)) {
            following.start();
            assertThat(live.isRead()).isTrue();

            write(OFTEN + "a: b");

            await().during(Duration.ofMillis(300))
                    .until(() -> live.get().base().get("a").isEmpty());
        }
    }

    @Test
    void aFirstThatIsNotThereYetIsLookedForEachFiveSeconds() throws IOException {
        write("- a list");
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), _ -> {});
        try (var following = new ConfigurationPolling(live)) {
            following.start();
            assertThat(following.pause()).isEqualTo(Duration.ofSeconds(5));

            write("a: b");
            live.look();

            assertThat(following.pause()).isEqualTo(Duration.ofMinutes(5));
        }
    }

    @Test
    void aFirstThatComesLaterAndForbidsItIsTheLast() throws IOException {
        write("- a list");
        LiveConfiguration live = LiveConfiguration.awaited(Optional.of(folder), _ -> {});
        try (var following = new ConfigurationPolling(live, Duration.ofMillis(20))) {
            following.start();

            write(ONCE + OFTEN);
            await().until(live::isRead);
            write(OFTEN + "a: b");

            await().during(Duration.ofMillis(300))
                    .until(() -> live.get().base().get("a").isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "7 s, PT7S",
        "2 min, PT2M",
        "0 s, PT5M",
        "1 ns, PT5M",
        "9223372036854775807 s, PT87600H",
    })
    void goesByTheIntervalOfTheOneInUse(String interval, Duration expected) throws IOException {
        write("a: b");
        LiveConfiguration live = started();
        try (var following = new ConfigurationPolling(live)) {
            assertThat(following.pause()).isEqualTo(Duration.ofMinutes(5));

            write("kubernetes.operator.dynamic.config.check.interval: " + interval);
            live.look();

            assertThat(following.pause()).isEqualTo(expected);
        }
    }

    private LiveConfiguration started() {
        return LiveConfiguration.start(Optional.of(folder), _ -> {}, _ -> {});
    }

    /** At once, so that no look finds half of it. */
    private void write(String text) throws IOException {
        Path half = Files.writeString(folder.resolve("half"), text);
        Files.move(half, folder.resolve("config.yaml"), StandardCopyOption.ATOMIC_MOVE);
    }
}
