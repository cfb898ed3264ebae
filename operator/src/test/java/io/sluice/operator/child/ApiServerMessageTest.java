// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.junit.jupiter.api.Test;

class ApiServerMessageTest {
    private static final String QUOTA =
            "pods \"orders-1\" is forbidden: exceeded quota: jobs, requested: cpu=2, used: cpu=3,"
                    + " limited: cpu=4";

    private static KubernetesClientException refused(String answer) {
        return new KubernetesClientException(
                "Failure executing: POST at: https://10.0.0.1/api/v1/namespaces/shop/pods. Message: "
                        + answer,
                HttpURLConnection.HTTP_FORBIDDEN,
                new StatusBuilder().withCode(403).withMessage(answer).build());
    }

    @Test
    void isWhatTheApiServerSays() {
        assertThat(ApiServerMessage.of(refused(QUOTA))).isEqualTo(QUOTA);
    }

    @Test
    void isThatOfTheClientWhereTheAnswerHasNone() {
        assertThat(ApiServerMessage.of(refused(""))).startsWith("Failure executing: POST");
        assertThat(ApiServerMessage.of(new KubernetesClientException("no route to host")))
                .isEqualTo("no route to host");
    }
}
