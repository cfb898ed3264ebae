// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Hands over the answer to a request that another thread makes. */
public final class RequestResult {
    private RequestResult() {}

    /**
     * Waits for {@code request}.
     *
     * @throws RuntimeException what the request threw
     * @throws KubernetesClientException if this thread is interrupted, or the request was
     */
    public static <T> T of(Future<T> request) {
        try {
            return request.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(
                    "interrupted while a request was under way", ending);
        }
    }
}
