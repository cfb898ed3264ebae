// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import java.net.URI;

/**
 * Where a resource's JobManager answers. The host follows from its identity and never from its
 * configuration, so that no user can point this process somewhere else; of that only the port is
 * taken.
 *
 * @param template with {@code {name}}, {@code {namespace}} and, unless it is fixed, {@code {port}}
 */
public record JobManagerAddress(String template) {
    public static final JobManagerAddress IN_CLUSTER =
            new JobManagerAddress("http://{name}-rest.{namespace}:{port}");

    public JobManagerAddress {
        URI probe = URI.create(fill(template, "name", "namespace", 1));
        if (!"http".equals(probe.getScheme()) || probe.getPort() < 0) {
            throw new IllegalArgumentException(
                    "'"
                            + template
                            + "' must look like http://{name}-rest.{namespace}:{port} (http, with a"
                            + " port)");
        }
    }

    /** That of the FlinkDeployment that a job runs on. */
    public URI of(String namespace, Subject.Scalable subject) {
        return of(namespace, subject.cluster(), subject.options());
    }

    URI of(String namespace, String name, FlinkConfiguration options) {
        return URI.create(fill(template, name, namespace, new Options(options).restPort()));
    }

    private static String fill(String template, String name, String namespace, int port) {
        return template.replace("{name}", name)
                .replace("{namespace}", namespace)
                .replace("{port}", Integer.toString(port));
    }
}
