// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/** What is told of a request that the API server did not serve, in its own words. */
public final class ApiServerMessage {
    private ApiServerMessage() {}

    /**
     * The message of the API server, as {@code kubectl} shows it. Where none has come, it is the
     * client's: that one has the address, the message and all other fields of the answer, which
     * says the same twice, and differs from one request to the next.
     */
    public static String of(KubernetesClientException fault) {
        return Optional.ofNullable(fault.getStatus())
                .map(Status::getMessage)
                .filter(message -> !message.isBlank())
                .or(() -> Optional.ofNullable(fault.getMessage()))
                .orElse("no message");
    }
}
