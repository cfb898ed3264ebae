// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operator's environment.
 *
 * @param watchNamespaces empty for all ({@code SLUICE_WATCH_NAMESPACES}, comma list)
 * @param configuration folder of the default configuration ({@code SLUICE_CONFIG_DIR})
 * @param port of health and metrics ({@code SLUICE_HTTP_PORT}, 8080)
 * @param restTemplate the JobManager's address with {@code {name}} and {@code {namespace}}; set
 *     only for development outside the cluster ({@code SLUICE_REST_TEMPLATE})
 */
public record Settings(
        Set<String> watchNamespaces,
        Path configuration,
        int port,
        String restTemplate,
        String namespace,
        String identity,
        Optional<String> lease) {
    private static final String IN_CLUSTER = "http://{name}-rest.{namespace}:{port}";
    private static final int PORT = 8080;

    public Settings {
        watchNamespaces = Set.copyOf(watchNamespaces);
    }

    /** Thrown with one line for people: the variable, its value, and what it should be. */
    public static final class Unusable extends RuntimeException {
        public Unusable(String message) {
            super(message);
        }
    }

    public static Settings from(Map<String, String> environment) {
        return new Settings(
                Arrays.stream(
                                environment
                                        .getOrDefault("SLUICE_WATCH_NAMESPACES", "")
                                        .split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toSet()),
                Path.of(environment.getOrDefault("SLUICE_CONFIG_DIR", "/opt/sluice/conf")),
                port(Optional.ofNullable(environment.get("SLUICE_HTTP_PORT"))),
                environment.getOrDefault("SLUICE_REST_TEMPLATE", IN_CLUSTER),
                environment.getOrDefault("SLUICE_NAMESPACE", "default"),
                environment.getOrDefault(
                        "POD_NAME", environment.getOrDefault("HOSTNAME", "operator")),
                Optional.ofNullable(environment.get("SLUICE_LEADER_ELECTION"))
                        .filter(name -> !name.isBlank()));
    }

    private static int port(Optional<String> text) {
        if (text.isEmpty()) {
            return PORT;
        }
        if (!text.get().matches("\\d{1,5}") || Integer.parseInt(text.get()) > 65_535) {
            throw new Unusable("SLUICE_HTTP_PORT: '" + text.get() + "' is no port; use 0 to 65535");
        }
        return Integer.parseInt(text.get());
    }
}
