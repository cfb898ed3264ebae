// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.certs.CertPolicy;
import io.sluice.process.Environment;
import io.sluice.process.ProcessName;
import io.sluice.process.Variable;
import io.sluice.process.access.AccessSettings;
import io.sluice.process.port.PortLimits;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.http.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void needsOnlyItsNamespace() {
        assertThat(Settings.of(Map.of("SLUICE_NAMESPACE", "ns")))
                .isEqualTo(
                        new Settings(
                                List.of(),
                                new Settings.OwnAuthority(
                                        "ns",
                                        "sluice-webhook-tls",
                                        CertPolicy.serviceNames("sluice-webhook", "ns"),
                                        "sluice-validating",
                                        "sluice-mutating"),
                                TlsIdentity.Versions.TLS_1_3,
                                Optional.empty(),
                                new Settings.Ports(9443, 8080),
                                Duration.ofSeconds(5),
                                Limits.USUAL,
                                AccessSettings.OPEN));
    }

    @Test
    void takesWhatTheReferenceSaysOfVariablesThatAreNotSet() {
        Map<String, String> usual = new HashMap<>(Map.of("SLUICE_NAMESPACE", "ns"));
        for (Variable variable : Variable.values()) {
            if (variable.readers().contains(ProcessName.WEBHOOK)) {
                variable.usual().ifPresent(value -> usual.put(variable.wire(), value));
            }
        }

        assertThat(Settings.of(usual)).isEqualTo(Settings.of(Map.of("SLUICE_NAMESPACE", "ns")));
    }

    @Test
    void readsEveryVariable() {
        var settings =
                Settings.of(
                        Map.ofEntries(
                                Map.entry("SLUICE_NAMESPACE", "ns"),
                                Map.entry("SLUICE_WATCH_NAMESPACES", "a, b"),
                                Map.entry("SLUICE_WEBHOOK_SERVICE", "service"),
                                Map.entry("SLUICE_WEBHOOK_EXTRA_NAMES", "localhost, 127.0.0.1"),
                                Map.entry("SLUICE_WEBHOOK_SECRET", "secret"),
                                Map.entry("SLUICE_VALIDATING_CONFIGURATION", "validating"),
                                Map.entry("SLUICE_MUTATING_CONFIGURATION", "mutating"),
                                Map.entry("SLUICE_TLS_MIN_VERSION", "1.2"),
                                Map.entry("SLUICE_CONFIG_DIR", "/etc/sluice"),
                                Map.entry("SLUICE_LEAVING_SECONDS", "9"),
                                Map.entry("SLUICE_MAX_CONNECTIONS", "3"),
                                Map.entry("SLUICE_NEW_CONNECTIONS_PER_SECOND", "4"),
                                Map.entry("SLUICE_REQUEST_SECONDS", "5"),
                                Map.entry("SLUICE_IDLE_SECONDS", "6"),
                                Map.entry("SLUICE_ANSWER_SECONDS", "7"),
                                Map.entry("SLUICE_HELD_MIB", "8"),
                                Map.entry("SLUICE_AUTHENTICATE", "true"),
                                Map.entry("SLUICE_HTTPS_PORT", "1"),
                                Map.entry("SLUICE_HTTP_PORT", "2")));

        assertThat(settings)
                .isEqualTo(
                        new Settings(
                                List.of("a", "b"),
                                new Settings.OwnAuthority(
                                        "ns",
                                        "secret",
                                        List.of(
                                                "service",
                                                "service.ns",
                                                "service.ns.svc",
                                                "service.ns.svc.cluster.local",
                                                "localhost",
                                                "127.0.0.1"),
                                        "validating",
                                        "mutating"),
                                TlsIdentity.Versions.TLS_1_2_AND_1_3,
                                Optional.of(Path.of("/etc/sluice")),
                                new Settings.Ports(1, 2),
                                Duration.ofSeconds(9),
                                Limits.USUAL
                                        .scaledToPort(
                                                new PortLimits(
                                                        3,
                                                        4,
                                                        Duration.ofSeconds(5),
                                                        Duration.ofSeconds(6),
                                                        Duration.ofSeconds(7)))
                                        .scaledToHeld(8 * 1024 * 1024),
                                new AccessSettings(true, Optional.empty(), Optional.empty())));
    }

    @Test
    void takesACertificateFromFilesAndThenNeedsNoName() {
        assertThat(Settings.of(Map.of("SLUICE_TLS_DIR", "/tls")).certificate())
                .isEqualTo(new Settings.Given(Path.of("/tls")));
    }

    @Test
    void offersNoTlsThatIsBroken() {
        assertThatThrownBy(
                        () ->
                                Settings.of(
                                        Map.of(
                                                "SLUICE_NAMESPACE",
                                                "ns",
                                                "SLUICE_TLS_MIN_VERSION",
                                                "1.0")))
                .hasMessage("SLUICE_TLS_MIN_VERSION: '1.0' is not offered; use 1.3 or 1.2");
    }

    @Test
    void aLimitOfNothingIsRefused() {
        assertThatThrownBy(
                        () ->
                                Settings.of(
                                        Map.of(
                                                "SLUICE_NAMESPACE",
                                                "ns",
                                                "SLUICE_MAX_CONNECTIONS",
                                                "0")))
                .hasMessage("SLUICE_MAX_CONNECTIONS: '0' must be a number from 1 to 20000");
    }

    @Test
    void namesTheVariableAtFault() {
        assertThatThrownBy(() -> Settings.of(Map.of()))
                .isInstanceOf(Environment.Unusable.class)
                .hasMessageContaining("SLUICE_NAMESPACE");
        assertThatThrownBy(
                        () ->
                                Settings.of(
                                        Map.of("SLUICE_NAMESPACE", "x", "SLUICE_HTTP_PORT", "web")))
                .hasMessageContaining("SLUICE_HTTP_PORT: 'web'");
    }
}
