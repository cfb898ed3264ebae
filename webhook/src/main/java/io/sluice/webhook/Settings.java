// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.certs.CertPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The process's environment.
 *
 * @param extraNames further names and addresses of the certificate, for a webhook reached by URL
 * @param configuration the operator's configuration, which the rules start from
 */
record Settings(
        String namespace,
        String service,
        List<String> extraNames,
        String secret,
        String validatingConfiguration,
        String mutatingConfiguration,
        Optional<Path> configuration,
        int httpsPort,
        int httpPort) {

    /** A variable that is missing or cannot be read. */
    static final class WrongEnvironment extends RuntimeException {
        WrongEnvironment(String variable, String value, String message) {
            super(variable + (value.isEmpty() ? "" : ": '" + value + "'") + " " + message);
        }
    }

    static Settings of(Map<String, String> environment) {
        return new Settings(
                text(environment, "SLUICE_NAMESPACE")
                        .orElseThrow(
                                () ->
                                        new WrongEnvironment(
                                                "SLUICE_NAMESPACE",
                                                "",
                                                "is missing; set it to the namespace this process"
                                                        + " runs in")),
                text(environment, "SLUICE_WEBHOOK_SERVICE").orElse("sluice-webhook"),
                list(environment, "SLUICE_WEBHOOK_EXTRA_NAMES"),
                text(environment, "SLUICE_WEBHOOK_SECRET").orElse("sluice-webhook-tls"),
                text(environment, "SLUICE_VALIDATING_CONFIGURATION").orElse("sluice-validating"),
                text(environment, "SLUICE_MUTATING_CONFIGURATION").orElse("sluice-mutating"),
                text(environment, "SLUICE_CONFIG_DIR").map(Path::of),
                port(environment, "SLUICE_HTTPS_PORT", 9443),
                port(environment, "SLUICE_HTTP_PORT", 8080));
    }

    CertPolicy certPolicy() {
        List<String> names = new ArrayList<>(CertPolicy.serviceNames(service, namespace));
        names.addAll(extraNames);
        return CertPolicy.of(names);
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

    private static int port(Map<String, String> environment, String variable, int otherwise) {
        return text(environment, variable)
                .map(
                        value -> {
                            if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > 65535) {
                                throw new WrongEnvironment(
                                        variable, value, "is no port; use 0 to 65535");
                            }
                            return Integer.parseInt(value);
                        })
                .orElse(otherwise);
    }
}
