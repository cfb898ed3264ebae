// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads resources of one namespace. */
public record ResourceReader(KubernetesClient client, String namespace) {
    /** What a resource may be called; a name goes into the path of the request. */
    public static final Pattern NAME = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

    /**
     * Looks for a resource.
     *
     * @throws KubernetesClientException if the API server does not answer; see {@link Unanswered}
     */
    public Finding find(ResourceKind kind, String name) {
        if (!NAME.matcher(name).matches()) {
            return new Finding.Absent();
        }
        try {
            return Optional.<RawResource>ofNullable(
                            client.resources(RawResource.of(kind).getClass())
                                    .inNamespace(namespace)
                                    .withName(name)
                                    .get())
                    .<Finding>map(Finding.Found::new)
                    .orElseGet(Finding.Absent::new);
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return new Finding.Hidden(kind);
            }
            throw failed;
        }
    }
}
