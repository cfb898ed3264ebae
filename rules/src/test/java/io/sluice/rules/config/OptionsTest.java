// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.config.option.ClientOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.OptionType;
import io.sluice.rules.config.option.ProcessOptions;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.config.value.Quantity;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @ParameterizedTest
    @CsvSource({
        "15 s, PT15S",
        "5min, PT5M",
        "1 d, PT24H",
        "10, PT0.01S",
        "PT1M30S, PT1M30S",
        "2 Hours, PT2H",
    })
    void readsFlinksDurations(String text, Duration expected) {
        assertThat(OptionType.DURATION.read(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "5 parsecs", "-1 s", "99999999999999999999", " "})
    void whatIsNoDurationCountsAsNotSet(String text) {
        Options options = options(ProcessOptions.RECONCILE_INTERVAL.key(), text);

        assertThat(options.get(ProcessOptions.RECONCILE_INTERVAL)).hasSeconds(60);
        assertThat(options.value(ProcessOptions.RECONCILE_INTERVAL)).isEmpty();
    }

    @Test
    void whatDoesNotCountIsAsIfItWereNotSet() {
        Options options = options(ClientOptions.TIMEOUT.key(), "0 s");

        assertThat(options.get(ClientOptions.TIMEOUT)).hasSeconds(5);
        assertThat(options.isSet(ClientOptions.TIMEOUT)).isTrue();
    }

    @Test
    void anOptionWithoutADefaultIsEmptyUntilItIsSet() {
        var age = LifecycleOptions.MAX_CHECKPOINT_AGE;

        assertThat(options("x", "y").get(age)).isEmpty();
        assertThat(options(age.key(), "3 min").get(age)).contains(Duration.ofMinutes(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a, b", "a;b", "['a', 'b']", " a ,, b;"})
    void readsAListHoweverItIsWritten(String text) {
        var hosts = ArtifactOptions.ALLOWED_HOSTS;

        assertThat(options(hosts.key(), text).get(hosts)).containsExactly("a", "b");
    }

    @Test
    void anEmptyListOfSchemesAllowsTheDefaultOnes() {
        var schemes = ArtifactOptions.ALLOWED_SCHEMES;

        assertThat(options(schemes.key(), ",").get(schemes)).containsExactly("https");
    }

    @Test
    void readsEntriesAndLeavesOutWhatIsNone() {
        var header = ArtifactOptions.HTTP_HEADER;

        assertThat(options(header.key(), "a: 1, b:c:d, e").get(header))
                .isEqualTo(Map.of("a", "1", "b", "c:d"));
    }

    @ParameterizedTest
    @CsvSource({
        "1g, 1073741824",
        "1024m, 1073741824",
        "2 gb, 2147483648",
        "2Gi, 2147483648",
        "2GiB, 2147483648",
        "1.5Gi, 1610612736",
        "512 kibibytes, 524288",
        "100, 100",
        "1e9, 1000000000",
        "1.5k, 1500",
    })
    void readsSizesOfFlinkAndOfKubernetes(String text, long bytes) {
        assertThat(MemorySize.parse(text)).contains(new MemorySize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plenty", "2 gigs", "-1g", "1.2.3", "99999999999t", ""})
    void whatIsNoSizeIsEmpty(String text) {
        assertThat(MemorySize.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "500m, 0.500",
        "2, 2",
        "1.5Ki, 1536.0",
        "1e3, 1000",
        "-1Gi, -1073741824",
        "2E, 2e18"
    })
    void readsKubernetesQuantities(String text, java.math.BigDecimal amount) {
        assertThat(Quantity.parse(text).orElseThrow().amount()).isEqualByComparingTo(amount);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2gb", "1 Gi", "", "e3", "0x1", "1e99999999"})
    void whatIsNoQuantityIsEmpty(String text) {
        assertThat(Quantity.parse(text)).isEqualTo(Optional.empty());
    }

    @Test
    void highAvailabilityIsOffUntilATypeIsSet() {
        assertThat(options("x", "y").isHighlyAvailable()).isFalse();
        assertThat(options("high-availability.type", "none").isHighlyAvailable()).isFalse();
        assertThat(options("high-availability.type", "kubernetes").isHighlyAvailable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes, true, false",
        "KUBERNETES, true, false",
        "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory, true, false",
        "zookeeper, false, true",
        "ZooKeeper, false, true",
        "org.example.OwnFactory, false, false",
        "none, false, false"
    })
    void knowsWhereFlinkKeepsItsMetadata(String type, boolean inConfigMaps, boolean inZooKeeper) {
        Options options = options("high-availability.type", type);

        assertThat(options.keepsMetadataInKubernetes()).isEqualTo(inConfigMaps);
        assertThat(options.usesZooKeeper()).isEqualTo(inZooKeeper);
        assertThat(options.unknownHighAvailability().isPresent())
                .isEqualTo(type.equals("org.example.OwnFactory"));
    }

    @Test
    void metadataAreFoundWhereTheFormerClusterHasLeftThem() {
        Options inConfigMaps = options("high-availability.type", "kubernetes");
        Options inZooKeeper = zooKeeper("zk:2181", "/flink");

        assertThat(inConfigMaps.findsMetadataOf(inConfigMaps)).isTrue();
        assertThat(inZooKeeper.findsMetadataOf(inZooKeeper)).isTrue();
        assertThat(inZooKeeper.findsMetadataOf(inConfigMaps)).isFalse();
        assertThat(inConfigMaps.findsMetadataOf(inZooKeeper)).isFalse();
        assertThat(inZooKeeper.findsMetadataOf(zooKeeper("other:2181", "/flink"))).isFalse();
        assertThat(inZooKeeper.findsMetadataOf(zooKeeper("zk:2181", "/other"))).isFalse();
        assertThat(options("a", "b").findsMetadataOf(options("a", "b"))).isFalse();
    }

    private static Options zooKeeper(String quorum, String root) {
        return new Options(
                new FlinkConfiguration(
                        Map.of(
                                "high-availability.type", "zookeeper",
                                "high-availability.zookeeper.quorum", quorum,
                                "high-availability.zookeeper.path.root", root)));
    }

    private static Options options(String key, String value) {
        return new Options(new FlinkConfiguration(Map.of(key, value)));
    }
}
