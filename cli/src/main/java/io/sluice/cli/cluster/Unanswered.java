// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/** A request that the API server did not answer, or not as it should, in words. */
public final class Unanswered {
    private Unanswered() {}

    /**
     * @param server the address of the API server
     */
    public static String text(Object server, KubernetesClientException failed) {
        if (failed.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return "the API server does not know who you are; log in, or name another --kubeconfig";
        }
        return "the API server at "
                + server
                + (failed.getCode() <= 0
                        ? " does not answer; look at --kubeconfig ("
                        : " answered " + failed.getCode() + "; try again (")
                + why(failed)
                + ")";
    }

    /** The client puts what has happened into the cause, and says little of it itself. */
    private static String why(KubernetesClientException failed) {
        return Optional.ofNullable(failed.getCause())
                .map(Unanswered::chain)
                .orElseGet(failed::toString);
    }

    private static String chain(Throwable failed) {
        return failed
                + Optional.ofNullable(failed.getCause())
                        .map(cause -> ", because of " + chain(cause))
                        .orElse("");
    }
}
