// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.FlinkOptions;
import java.net.URI;

/**
 * Where JobManagers answer (docs/contract/reconciler.md, section 6). The host follows from a
 * resource's identity and never from its configuration, so that nothing a user writes can send a
 * process of Sluice elsewhere; of the configuration only the port is taken, and whether the REST
 * API uses TLS. Then the host is asked by a name for which an authority would issue a wildcard,
 * {@code *.NAMESPACE.svc}.
 *
 * @param template {@code http://...} with {@code {name}}, {@code {namespace}} and, unless it is
 *     fixed, {@code {port}}
 */
public record RestEndpoint(String template) {
    public static final RestEndpoint IN_CLUSTER =
            new RestEndpoint("http://{name}-rest.{namespace}:{port}");

    private static final String PLAIN = "http:";

    public RestEndpoint {
        if (!template.startsWith(PLAIN)) {
            throw new IllegalArgumentException(
                    "'"
                            + template
                            + "' must look like "
                            + "http://{name}-rest.{namespace}:{port} (http, with a port)");
        }
    }

    /**
     * The address of the FlinkDeployment {@code name}.
     *
     * @param options that its cluster was made with
     */
    public URI of(String namespace, String name, Options options) {
        return URI.create(
                filled(
                        options.usesRestTls() ? encrypted() : template,
                        namespace,
                        name,
                        options.restPort()));
    }

    /** Whether {@code key} is one of the options that an address depends on. */
    public static boolean dependsOn(String key) {
        return key.endsWith(FlinkOptions.REST_PORT.key())
                || key.endsWith(FlinkOptions.TLS.key())
                || key.endsWith(FlinkOptions.REST_TLS.key());
    }

    private String encrypted() {
        return "https:"
                + template.substring(PLAIN.length()).replace("{namespace}:", "{namespace}.svc:");
    }

    private static String filled(String template, String namespace, String name, int port) {
        return template.replace("{name}", name)
                .replace("{namespace}", namespace)
                .replace("{port}", Integer.toString(port));
    }
}
