// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Resources as many users have them. */
public final class Manifests {
    private static final String APPLICATION = read("application.yaml");
    private static final String SESSION_CLUSTER = read("session-cluster.yaml");
    private static final String SESSION_JOB = read("session-job.yaml");

    private Manifests() {}

    /** A job that the autoscaler looks after, and that is scaled in place. */
    public static GenericKubernetesResource application(String namespace, String name) {
        return named(APPLICATION, namespace, name);
    }

    public static GenericKubernetesResource sessionCluster(String namespace, String name) {
        return named(SESSION_CLUSTER, namespace, name);
    }

    /** Its only argument is its own name. */
    public static GenericKubernetesResource sessionJob(
            String namespace, String name, String cluster, String jar) {
        return named(
                SESSION_JOB.replace("CLUSTER", cluster).replace("JAR", jar).replace("NAME", name),
                namespace,
                name);
    }

    private static GenericKubernetesResource named(String yaml, String namespace, String name) {
        var resource = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        return resource;
    }

    private static String read(String file) {
        try (InputStream yaml =
                Objects.requireNonNull(Manifests.class.getResourceAsStream(file), file)) {
            return new String(yaml.readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
