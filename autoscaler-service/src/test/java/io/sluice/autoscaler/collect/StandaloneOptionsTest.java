// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.FlinkConfiguration;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandaloneOptionsTest {
    private static final String PREFIX = "autoscaler.standalone.";

    @Test
    void looksAtTheClusterOnThisMachineUnlessToldOtherwise() {
        StandaloneOptions options = StandaloneOptions.of(FlinkConfiguration.EMPTY);

        assertThat(options.clusters())
                .isEqualTo(Map.of("localhost-8081", URI.create("http://localhost:8081")));
        assertThat(options.interval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.atOnce()).isEqualTo(100);
    }

    @Test
    void readsTheKeysOfOneCluster() {
        StandaloneOptions options =
                of(
                        Map.of(
                                PREFIX + "fetcher.flink-cluster.host", "flink",
                                PREFIX + "fetcher.flink-cluster.port", "9000",
                                PREFIX + "control-loop.interval", "1 min",
                                PREFIX + "control-loop.parallelism", "7",
                                PREFIX + "state-store.type", "memory",
                                PREFIX + "event-handler.type", "LOGGING"));

        assertThat(options.clusters())
                .isEqualTo(Map.of("flink-9000", URI.create("http://flink:9000")));
        assertThat(options.interval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.atOnce()).isEqualTo(7);
    }

    @Test
    void readsTheOlderSpellings() {
        StandaloneOptions options =
                of(
                        Map.of(
                                "flinkClusterHost", "flink",
                                "flinkClusterPort", "9000",
                                "scalingInterval", "3 s"));

        assertThat(options.clusters()).containsOnlyKeys("flink-9000");
        assertThat(options.interval()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void readsSeveralClusters() {
        StandaloneOptions options =
                of(
                        Map.of(
                                PREFIX + "fetcher.flink-clusters",
                                "shop=http://shop:8081, bank = https://bank.example/flink/"));

        assertThat(options.clusters())
                .isEqualTo(
                        Map.of(
                                "shop", URI.create("http://shop:8081"),
                                "bank", URI.create("https://bank.example/flink")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    state-store.type           | JDBC                    | MEMORY
                    event-handler.type         | jdbc                    | LOGGING
                    control-loop.interval      | soon                    | soon
                    control-loop.interval      | 0 s                     | above 0
                    control-loop.parallelism   | 0                       | 1 to
                    fetcher.flink-cluster.port | 70000                   | 65535
                    fetcher.flink-cluster.host | a b                     | http://HOST:PORT
                    fetcher.flink-clusters     | http://shop:8081        | NAME=http://HOST:PORT
                    fetcher.flink-clusters     | a=ftp://shop            | http://HOST:PORT
                    fetcher.flink-clusters     | a=http://me:pw@shop     | http://HOST:PORT
                    fetcher.flink-clusters     | a=http://b,a=http://c   | each name once
                    fetcher.flink-cluster.user | me                      | remove it
                    """)
    void namesTheKeyThatIsWrongAndWhatToDo(String key, String value, String remedy) {
        assertThatThrownBy(() -> of(Map.of(PREFIX + key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(PREFIX + key)
                .hasMessageContaining(remedy);
    }

    @Test
    void repeatsNoPassword() {
        assertThatThrownBy(() -> of(Map.of(PREFIX + "fetcher.flink-clusters", "a=http://me:pw@b")))
                .hasMessageContaining("******")
                .message()
                .doesNotContain("pw");
    }

    @Test
    void putsTheCommandLineFirst() {
        Arguments arguments = Arguments.of("--standalone", "--scalingInterval", "3 s");

        assertThat(arguments.standalone()).isTrue();
        assertThat(arguments.options().entries()).isEqualTo(Map.of("scalingInterval", "3 s"));
        assertThat(Arguments.of().standalone()).isFalse();
    }

    @Test
    void refusesAnArgumentThatItDoesNotKnow() {
        assertThatThrownBy(() -> Arguments.of("--help")).hasMessageContaining("'--help'");
        assertThatThrownBy(() -> Arguments.of("--standalone", "key")).hasMessageContaining("'key'");
        assertThatThrownBy(() -> Arguments.of("--standalone", "--key"))
                .hasMessageContaining("write --key VALUE");
    }

    private static StandaloneOptions of(Map<String, String> entries) {
        return StandaloneOptions.of(new FlinkConfiguration(entries));
    }
}
