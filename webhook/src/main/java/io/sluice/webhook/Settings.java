// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.certs.CertPolicy;
import io.sluice.process.access.AccessSettings;
import io.sluice.process.port.PortLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The process's environment.
 *
 * @param watched the namespaces served; empty: all
 * @param configuration the operator's configuration, which the rules start from
 * @param limits what callers may ask of the HTTPS port
 * @param access whether those who read metrics have to say who they are
 * @param leaving how long to go on answering after SIGTERM, until API servers know
 */
record Settings(
        List<String> watched,
        Certificate certificate,
        TlsIdentity.Versions tls,
        Optional<Path> configuration,
        Ports ports,
        Duration leaving,
        Limits limits,
        AccessSettings access) {

    private static final int MEBIBYTE = 1024 * 1024;

    record Ports(int https, int http) {}

    /** Where the certificate comes from. */
    sealed interface Certificate {}

    /**
     * Issued and rotated here.
     *
     * @param names host names and addresses the certificate is good for
     * @param validating name of the configuration whose caBundle is written
     */
    record OwnAuthority(
            String namespace, String secret, List<String> names, String validating, String mutating)
            implements Certificate {
        OwnAuthority {
            names = List.copyOf(names);
        }

        CertPolicy policy() {
            return CertPolicy.of(names);
        }
    }

    /** Kept by others in {@code tls.crt} and {@code tls.key}. */
    record Given(Path folder) implements Certificate {}

    /** A variable that is missing or cannot be read. */
    static final class WrongEnvironment extends RuntimeException {
        WrongEnvironment(String variable, String value, String message) {
            super(variable + (value.isEmpty() ? "" : ": '" + value + "'") + " " + message);
        }
    }

    Settings {
        watched = List.copyOf(watched);
    }

    static Settings of(Map<String, String> environment) {
        return new Settings(
                list(environment, "SLUICE_WATCH_NAMESPACES"),
                certificate(environment),
                versions(environment),
                text(environment, "SLUICE_CONFIG_DIR").map(Path::of),
                new Ports(
                        number(environment, "SLUICE_HTTPS_PORT", 9443, 65535),
                        number(environment, "SLUICE_HTTP_PORT", 8080, 65535)),
                Duration.ofSeconds(number(environment, "SLUICE_LEAVING_SECONDS", 5, 300)),
                limits(environment),
                AccessSettings.from(environment));
    }

    private static Limits limits(Map<String, String> environment) {
        PortLimits usual = Limits.PORT;
        var port =
                new PortLimits(
                        positive(
                                environment, "SLUICE_MAX_CONNECTIONS", usual.connections(), 20_000),
                        positive(
                                environment,
                                "SLUICE_NEW_CONNECTIONS_PER_SECOND",
                                usual.newPerSecond(),
                                20_000),
                        seconds(environment, "SLUICE_REQUEST_SECONDS", usual.request()),
                        seconds(environment, "SLUICE_IDLE_SECONDS", usual.idle()),
                        seconds(environment, "SLUICE_ANSWER_SECONDS", usual.answer()));
        int held = Limits.USUAL.held() / MEBIBYTE;
        return Limits.USUAL
                .withPort(port)
                .withHeld(positive(environment, "SLUICE_HELD_MIB", held, 1024) * MEBIBYTE);
    }

    private static Duration seconds(
            Map<String, String> environment, String variable, Duration otherwise) {
        return Duration.ofSeconds(
                positive(environment, variable, (int) otherwise.toSeconds(), 3600));
    }

    private static int positive(
            Map<String, String> environment, String variable, int otherwise, int most) {
        int number = number(environment, variable, otherwise, most);
        if (number == 0) {
            throw new WrongEnvironment(variable, "0", "must be a number from 1 to " + most);
        }
        return number;
    }

    private static Certificate certificate(Map<String, String> environment) {
        return text(environment, "SLUICE_TLS_DIR")
                .<Certificate>map(folder -> new Given(Path.of(folder)))
                .orElseGet(() -> ownAuthority(environment));
    }

    private static OwnAuthority ownAuthority(Map<String, String> environment) {
        String namespace =
                text(environment, "SLUICE_NAMESPACE")
                        .orElseThrow(
                                () ->
                                        new WrongEnvironment(
                                                "SLUICE_NAMESPACE",
                                                "",
                                                "is missing; set it to the namespace this process"
                                                        + " runs in"));
        String service = text(environment, "SLUICE_WEBHOOK_SERVICE").orElse("sluice-webhook");
        List<String> names = new ArrayList<>(CertPolicy.serviceNames(service, namespace));
        names.addAll(list(environment, "SLUICE_WEBHOOK_EXTRA_NAMES"));
        return new OwnAuthority(
                namespace,
                text(environment, "SLUICE_WEBHOOK_SECRET").orElse("sluice-webhook-tls"),
                names,
                text(environment, "SLUICE_VALIDATING_CONFIGURATION").orElse("sluice-validating"),
                text(environment, "SLUICE_MUTATING_CONFIGURATION").orElse("sluice-mutating"));
    }

    private static TlsIdentity.Versions versions(Map<String, String> environment) {
        String least = text(environment, "SLUICE_TLS_MIN_VERSION").orElse("1.3");
        return switch (least) {
            case "1.3" -> TlsIdentity.Versions.TLS_1_3;
            case "1.2" -> TlsIdentity.Versions.TLS_1_2_AND_1_3;
            default ->
                    throw new WrongEnvironment(
                            "SLUICE_TLS_MIN_VERSION", least, "is not offered; use 1.3 or 1.2");
        };
    }

    private static Optional<String> text(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    private static List<String> list(Map<String, String> environment, String variable) {
        return text(environment, variable).stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static int number(
            Map<String, String> environment, String variable, int otherwise, int most) {
        return text(environment, variable)
                .map(
                        value -> {
                            if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > most) {
                                throw new WrongEnvironment(
                                        variable, value, "must be a number from 0 to " + most);
                            }
                            return Integer.parseInt(value);
                        })
                .orElse(otherwise);
    }
}
