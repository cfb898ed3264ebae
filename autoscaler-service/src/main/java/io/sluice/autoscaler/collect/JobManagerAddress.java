// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import java.net.URI;

/**
 * Where a resource's JobManager answers. Computed from its identity and never from its
 * configuration, so that no user can point this process somewhere else.
 *
 * @param template with {@code {name}} and {@code {namespace}}
 */
public record JobManagerAddress(String template) {
    public static final JobManagerAddress IN_CLUSTER =
            new JobManagerAddress("http://{name}-rest.{namespace}:8081");

    public JobManagerAddress {
        URI probe = URI.create(fill(template, "name", "namespace"));
        if (!"http".equals(probe.getScheme()) || probe.getPort() < 0) {
            throw new IllegalArgumentException(
                    "'"
                            + template
                            + "' must look like http://{name}-rest.{namespace}:8081 (http, with a"
                            + " port)");
        }
    }

    /** That of the FlinkDeployment of this name. */
    public URI of(String namespace, String name) {
        return URI.create(fill(template, name, namespace));
    }

    private static String fill(String template, String name, String namespace) {
        return template.replace("{name}", name).replace("{namespace}", namespace);
    }
}
