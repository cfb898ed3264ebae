// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Place;
import io.sluice.process.ProcessName;
import io.sluice.process.RestTlsSettings;
import io.sluice.process.Variable;
import io.sluice.process.access.AccessSettings;
import io.sluice.rules.config.RestEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void watchesEverythingUnlessToldOtherwise() {
        assertThat(Settings.from(Map.of("SLUICE_WATCH_NAMESPACES", " ")))
                .isEqualTo(
                        new Settings(
                                List.of(),
                                Optional.empty(),
                                RestEndpoint.IN_CLUSTER,
                                new RestTlsSettings(Optional.empty(), true),
                                8080,
                                Duration.ofSeconds(30),
                                Duration.ZERO,
                                10,
                                AccessSettings.OPEN,
                                Optional.empty(),
                                Path.of(
                                        System.getProperty("java.io.tmpdir"),
                                        "sluice-autoscaler")));
    }

    @Test
    void takesWhatTheReferenceSaysOfVariablesThatAreNotSet() {
        Map<String, String> placed = Map.of("SLUICE_NAMESPACE", "ns", "POD_NAME", "pod");
        Map<String, String> usual = new HashMap<>(placed);
        for (Variable variable : Variable.values()) {
            if (variable.readers().contains(ProcessName.AUTOSCALER)) {
                variable.usual().ifPresent(value -> usual.put(variable.wire(), value));
            }
        }

        assertThat(Settings.from(usual)).isEqualTo(Settings.from(placed));
    }

    @Test
    void readsEveryVariable() {
        assertThat(
                        Settings.from(
                                Map.ofEntries(
                                        Map.entry("SLUICE_WATCH_NAMESPACES", "shop, bank"),
                                        Map.entry("SLUICE_CONFIG_DIR", "/etc/sluice"),
                                        Map.entry(
                                                "SLUICE_JOBMANAGER_ADDRESS", "http://localhost:9"),
                                        Map.entry("SLUICE_JOBMANAGER_TLS_DIR", "/tls"),
                                        Map.entry("SLUICE_JOBMANAGER_TLS_ANY_HOST", "true"),
                                        Map.entry("SLUICE_HTTP_PORT", "0"),
                                        Map.entry("SLUICE_CYCLE_BUDGET", "5 s"),
                                        Map.entry("SLUICE_RESCALE_PAUSE", "2 min"),
                                        Map.entry("SLUICE_RESCALES_AT_ONCE", "3"),
                                        Map.entry("SLUICE_AUTHENTICATE", "true"),
                                        Map.entry("SLUICE_TOKEN_AUDIENCE", "sluice"),
                                        Map.entry("SLUICE_REPLICA_TOKEN", "/token"),
                                        Map.entry("SLUICE_LOCK_DIR", "/locks"),
                                        Map.entry("SLUICE_NAMESPACE", "sluice-system"),
                                        Map.entry("POD_NAME", "autoscaler-1"))))
                .isEqualTo(
                        new Settings(
                                List.of("shop", "bank"),
                                Optional.of(Path.of("/etc/sluice")),
                                new RestEndpoint("http://localhost:9"),
                                new RestTlsSettings(Optional.of(Path.of("/tls")), false),
                                0,
                                Duration.ofSeconds(5),
                                Duration.ofMinutes(2),
                                3,
                                new AccessSettings(
                                        true,
                                        Optional.of("sluice"),
                                        Optional.of(Path.of("/token"))),
                                Optional.of(
                                        new Place(
                                                "sluice-system",
                                                "sluice-autoscaler",
                                                new Member("autoscaler-1", Optional.empty()))),
                                Path.of("/locks")));
    }

    @Test
    void namesTheVariableThatIsWrong() {
        assertThatThrownBy(() -> Settings.from(Map.of("SLUICE_HTTP_PORT", "high")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SLUICE_HTTP_PORT: 'high'");
        assertThatThrownBy(() -> Settings.from(Map.of("SLUICE_JOBMANAGER_ADDRESS", "here")))
                .hasMessageContaining("SLUICE_JOBMANAGER_ADDRESS: 'here'");
        assertThatThrownBy(() -> Settings.from(Map.of("SLUICE_JOBMANAGER_ADDRESS", "http://jobs")))
                .hasMessageContaining("SLUICE_JOBMANAGER_ADDRESS: 'http://jobs'");
        assertThatThrownBy(() -> Settings.from(Map.of("SLUICE_CYCLE_BUDGET", "soon")))
                .hasMessageContaining("SLUICE_CYCLE_BUDGET: 'soon'");
        assertThatThrownBy(() -> Settings.from(Map.of("SLUICE_AUTHENTICATE", "yes")))
                .hasMessageContaining("SLUICE_AUTHENTICATE: 'yes'");
    }
}
