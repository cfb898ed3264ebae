// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
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
                                "ns",
                                "sluice-webhook",
                                List.of(),
                                "sluice-webhook-tls",
                                "sluice-validating",
                                "sluice-mutating",
                                Optional.empty(),
                                9443,
                                8080));
    }

    @Test
    void readsEveryVariable() {
        var settings =
                Settings.of(
                        Map.of(
                                "SLUICE_NAMESPACE", "ns",
                                "SLUICE_WEBHOOK_SERVICE", "service",
                                "SLUICE_WEBHOOK_EXTRA_NAMES", "localhost, 127.0.0.1",
                                "SLUICE_WEBHOOK_SECRET", "secret",
                                "SLUICE_VALIDATING_CONFIGURATION", "validating",
                                "SLUICE_MUTATING_CONFIGURATION", "mutating",
                                "SLUICE_CONFIG_DIR", "/etc/sluice",
                                "SLUICE_HTTPS_PORT", "1",
                                "SLUICE_HTTP_PORT", "2"));

        assertThat(settings)
                .isEqualTo(
                        new Settings(
                                "ns",
                                "service",
                                List.of("localhost", "127.0.0.1"),
                                "secret",
                                "validating",
                                "mutating",
                                Optional.of(Path.of("/etc/sluice")),
                                1,
                                2));
        assertThat(settings.certPolicy().names()).contains("service.ns.svc", "127.0.0.1");
    }

    @Test
    void namesTheVariableAtFault() {
        assertThatThrownBy(() -> Settings.of(Map.of()))
                .isInstanceOf(Settings.WrongEnvironment.class)
                .hasMessageContaining("SLUICE_NAMESPACE");
        assertThatThrownBy(
                        () ->
                                Settings.of(
                                        Map.of("SLUICE_NAMESPACE", "x", "SLUICE_HTTP_PORT", "web")))
                .hasMessageContaining("SLUICE_HTTP_PORT: 'web'");
    }
}
