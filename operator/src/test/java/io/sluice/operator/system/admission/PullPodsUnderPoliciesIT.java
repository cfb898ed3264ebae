// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.admission;

import static io.sluice.operator.system.admission.InstalledPolicies.OPERATOR;
import static io.sluice.operator.system.admission.InstalledPolicies.assertRefused;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator may create pods, but under the chart's policies only those that pull images. */
class PullPodsUnderPoliciesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static InstalledPolicies policies;

    private KubernetesClient client;
    private KubernetesClient asOperator;
    private String namespace;

    @BeforeAll
    static void install() throws IOException {
        policies = InstalledPolicies.on(API);
        policies.awaitEffect();
    }

    @AfterAll
    static void uninstall() {
        policies.close();
    }

    @BeforeEach
    void start() {
        client = API.client();
        asOperator = policies.as(OPERATOR);
        namespace = API.newNamespace();
    }

    @AfterEach
    void stop() {
        asOperator.close();
    }

    @Test
    void theOperatorsAccountMakesNoPodButOneThatPullsAnImage() {
        Pod pull = pull();
        assertThatCode(() -> asOperator.resource(pull).dryRun().create())
                .doesNotThrowAnyException();
        List<Pod> others =
                List.of(
                                new PodBuilder(pull)
                                        .editMetadata()
                                        .withLabels(Map.of())
                                        .endMetadata(),
                                new PodBuilder(pull)
                                        .editMetadata()
                                        .withOwnerReferences()
                                        .endMetadata(),
                                new PodBuilder(pull).editMetadata().withName("stray").endMetadata(),
                                new PodBuilder(pull)
                                        .editSpec()
                                        .withAutomountServiceAccountToken(true)
                                        .endSpec(),
                                new PodBuilder(pull).editSpec().withHostNetwork(true).endSpec(),
                                new PodBuilder(pull)
                                        .editSpec()
                                        .withServiceAccountName("deployer")
                                        .endSpec())
                        .stream()
                        .map(PodBuilder::build)
                        .toList();

        for (Pod other : others) {
            assertRefused(() -> asOperator.resource(other).dryRun().create());
        }
    }

    @Test
    void theOperatorsAccountDeletesNoPodThatIsNotItsOwn() {
        Pod theirs =
                client.resource(
                                new PodBuilder(pull())
                                        .editMetadata()
                                        .withName("theirs")
                                        .withLabels(Map.of())
                                        .withOwnerReferences()
                                        .endMetadata()
                                        .build())
                        .create();

        assertRefused(() -> asOperator.resource(theirs).withGracePeriod(0).delete());
    }

    private Pod pull() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-image-pull-1")
                .withNamespace(namespace)
                .addToLabels("type", "flink-image-pull")
                .addNewOwnerReference()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind("FlinkDeployment")
                .withName("orders")
                .withUid("1f2e")
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName("flink")
                .withAutomountServiceAccountToken(false)
                .addNewContainer()
                .withName("job-manager")
                .withImage("flink:2")
                .endContainer()
                .endSpec()
                .build();
    }
}
