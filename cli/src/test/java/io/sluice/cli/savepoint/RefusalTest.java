// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void aMissingRightIsNamed() {
        assertThat(
                        refusal(
                                403,
                                "flinkstatesnapshots.flink.apache.org is forbidden: User \"guest\""
                                        + " cannot create resource \"flinkstatesnapshots\" in API group"
                                        + " \"flink.apache.org\" in the namespace \"shop\""))
                .isEqualTo(
                        "you have no right to create flinkstatesnapshots.flink.apache.org in"
                                + " namespace 'shop'; ask for it, for example for the ClusterRole edit");
    }

    @Test
    void aQuotaSpeaksForItself() {
        assertThat(refusal(403, "forbidden: exceeded quota: snapshots, requested: 1"))
                .isEqualTo(
                        "the API server refuses it: forbidden: exceeded quota: snapshots,"
                                + " requested: 1");
    }

    @Test
    void theWebhooksProblemsAreToldAsTheyAre() {
        assertThat(refusal(422, "FlinkStateSnapshot 'snap' has 1 problem:\n  1. spec.checkpoint"))
                .endsWith("has 1 problem:\n  1. spec.checkpoint");
    }

    @Test
    void aMissingNamespaceIsNoMissingCrd() {
        var missing =
                new KubernetesClientException(
                        new StatusBuilder()
                                .withCode(404)
                                .withMessage("namespaces \"shop\" not found")
                                .withNewDetails()
                                .withKind("namespaces")
                                .endDetails()
                                .build());

        assertThat(text(missing)).isEqualTo("-n: there is no namespace 'shop'; name another");
        assertThat(refusal(404, "404 page not found"))
                .contains(
                        "the cluster has no flinkstatesnapshots.flink.apache.org",
                        "spec.job.savepointTriggerNonce");
    }

    @Test
    void aTakenNameIsTakenForASecond() {
        assertThat(refusal(409, "already exists")).contains("'snap' exists", "again");
    }

    @Test
    void afterSilenceItIsNotKnownWhetherThereIsOne() {
        var silent = new KubernetesClientException("no answer", new ConnectException("refused"));

        assertThat(text(silent))
                .contains("https://api does not answer", "ConnectException")
                .endsWith("whether it was created shows kubectl get flinksnp/snap -n shop");
        assertThat(refusal(504, "timed out"))
                .startsWith("the API server answered 504: timed out")
                .endsWith("kubectl get flinksnp/snap -n shop");
    }

    private static String refusal(int code, String message) {
        return text(
                new KubernetesClientException(
                        new StatusBuilder().withCode(code).withMessage(message).build()));
    }

    private static String text(KubernetesClientException failed) {
        return Refusal.text(failed, "https://api", "shop", "snap");
    }
}
