// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.process.Environment;
import io.sluice.process.RestTlsSettings;
import io.sluice.process.Variable;
import io.sluice.rules.config.RestEndpoint;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's environment.
 *
 * @param watchNamespaces empty for all ({@code SLUICE_WATCH_NAMESPACES}, comma list)
 * @param configuration folder of the default configuration ({@code SLUICE_CONFIG_DIR})
 * @param port of health and metrics ({@code SLUICE_HTTP_PORT}, 8080)
 * @param restAddress where JobManagers answer; set only for development outside the cluster ({@code
 *     SLUICE_REST_TEMPLATE})
 * @param restTls by which certificates those are trusted that use TLS ({@code
 *     SLUICE_JOBMANAGER_TLS_DIR})
 */
public record Settings(
        Set<String> watchNamespaces,
        Path configuration,
        int port,
        RestEndpoint restAddress,
        RestTlsSettings restTls,
        String namespace,
        String identity,
        Optional<String> lease) {
    private static final int PORT = 8080;

    public Settings {
        watchNamespaces = Collections.unmodifiableSet(new LinkedHashSet<>(watchNamespaces));
    }

    /** Thrown with one line for people about an option that can't be used. */
    public static final class Unusable extends RuntimeException {
        public Unusable(String message) {
            super(message);
        }
    }

    /**
     * As the environment says.
     *
     * @throws Environment.Unusable if a variable can't be read
     */
    public static Settings from(Map<String, String> variables) {
        var environment = new Environment(variables);
        return new Settings(
                Collections.unmodifiableSet(
                        new LinkedHashSet<>(environment.list(Variable.WATCH_NAMESPACES))),
                Path.of(environment.text(Variable.CONFIG_DIR).orElse("/opt/sluice/conf")),
                environment.number(Variable.HTTP_PORT, 0, 65_535, PORT),
                environment.value(
                        Variable.REST_TEMPLATE, RestEndpoint::new, RestEndpoint.IN_CLUSTER),
                RestTlsSettings.from(environment),
                environment.text(Variable.NAMESPACE).orElse("default"),
                environment
                        .text(Variable.POD_NAME)
                        .or(() -> environment.text(Variable.HOSTNAME))
                        .orElse("operator"),
                environment.text(Variable.LEADER_ELECTION));
    }
}
