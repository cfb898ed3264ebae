// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why resources could not be listed or watched.
 *
 * @param code HTTP status of the API server's answer; 0 if it gave none
 * @param message in the API server's words, where it answered
 */
public record ListFailure(int code, String message) {
    /** Of whatever a client or an informer throws. */
    public static ListFailure of(Throwable failure) {
        Optional<KubernetesClientException> answer = answer(failure);
        return new ListFailure(
                answer.map(KubernetesClientException::getCode).orElse(0),
                answer.flatMap(each -> Optional.ofNullable(each.getStatus()))
                        .map(Status::getMessage)
                        .orElseGet(() -> String.valueOf(failure.getMessage())));
    }

    /** Whether the process may not, as where a namespace or its RoleBinding is gone. */
    public boolean isRefused() {
        return code == HttpURLConnection.HTTP_FORBIDDEN;
    }

    /** Whether the cluster does not know the kind. */
    public boolean isUnknownKind() {
        return code == HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** What the API server said, if it was that. */
    private static Optional<KubernetesClientException> answer(Throwable failure) {
        return Stream.iterate(
                        Optional.of(failure),
                        Optional::isPresent,
                        each -> each.map(Throwable::getCause))
                .flatMap(Optional::stream)
                .filter(KubernetesClientException.class::isInstance)
                .map(KubernetesClientException.class::cast)
                .filter(each -> each.getCode() > 0)
                .findFirst();
    }
}
