// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.certs.CertPolicy;
import io.sluice.process.Environment;
import io.sluice.process.Variable;
import io.sluice.process.access.AccessSettings;
import io.sluice.process.port.PortLimits;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.http.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    Settings {
        watched = List.copyOf(watched);
    }

    /**
     * As the environment says.
     *
     * @throws Environment.Unusable if a variable is missing or can't be read
     */
    static Settings of(Map<String, String> variables) {
        var environment = new Environment(variables);
        return new Settings(
                environment.list(Variable.WATCH_NAMESPACES),
                certificate(environment),
                versions(environment),
                environment.text(Variable.CONFIG_DIR).map(Path::of),
                new Ports(
                        environment.number(Variable.HTTPS_PORT, 0, 65_535, 9443),
                        environment.number(Variable.HTTP_PORT, 0, 65_535, 8080)),
                Duration.ofSeconds(environment.number(Variable.LEAVING_SECONDS, 0, 300, 5)),
                limits(environment),
                AccessSettings.from(environment));
    }

    private static Limits limits(Environment environment) {
        PortLimits usual = Limits.PORT;
        var port =
                new PortLimits(
                        environment.number(
                                Variable.MAX_CONNECTIONS, 1, 20_000, usual.connections()),
                        environment.number(
                                Variable.NEW_CONNECTIONS_PER_SECOND,
                                1,
                                20_000,
                                usual.newPerSecond()),
                        seconds(environment, Variable.REQUEST_SECONDS, usual.request()),
                        seconds(environment, Variable.IDLE_SECONDS, usual.idle()),
                        seconds(environment, Variable.ANSWER_SECONDS, usual.answer()));
        int held = Limits.USUAL.held() / MEBIBYTE;
        return Limits.USUAL
                .scaledToPort(port)
                .scaledToHeld(environment.number(Variable.HELD_MIB, 1, 1024, held) * MEBIBYTE);
    }

    private static Duration seconds(
            Environment environment, Variable variable, Duration otherwise) {
        return Duration.ofSeconds(
                environment.number(variable, 1, 3600, (int) otherwise.toSeconds()));
    }

    private static Certificate certificate(Environment environment) {
        return environment
                .text(Variable.TLS_DIR)
                .<Certificate>map(folder -> new Given(Path.of(folder)))
                .orElseGet(() -> ownAuthority(environment));
    }

    private static OwnAuthority ownAuthority(Environment environment) {
        String namespace =
                environment
                        .text(Variable.NAMESPACE)
                        .orElseThrow(
                                () ->
                                        Environment.missing(
                                                Variable.NAMESPACE,
                                                "set it to the namespace this process runs in"));
        String service = environment.text(Variable.WEBHOOK_SERVICE).orElse("sluice-webhook");
        List<String> names = new ArrayList<>(CertPolicy.serviceNames(service, namespace));
        names.addAll(environment.list(Variable.WEBHOOK_EXTRA_NAMES));
        return new OwnAuthority(
                namespace,
                environment.text(Variable.WEBHOOK_SECRET).orElse("sluice-webhook-tls"),
                names,
                environment.text(Variable.VALIDATING_CONFIGURATION).orElse("sluice-validating"),
                environment.text(Variable.MUTATING_CONFIGURATION).orElse("sluice-mutating"));
    }

    private static TlsIdentity.Versions versions(Environment environment) {
        String least = environment.text(Variable.TLS_MIN_VERSION).orElse("1.3");
        return switch (least) {
            case "1.3" -> TlsIdentity.Versions.TLS_1_3;
            case "1.2" -> TlsIdentity.Versions.TLS_1_2_AND_1_3;
            default ->
                    throw Environment.wrong(
                            Variable.TLS_MIN_VERSION, least, "is not offered; use 1.3 or 1.2");
        };
    }
}
