// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResourceQuotasIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final Quantity GIBIBYTE = new Quantity("1Gi");

    private final String namespace = API.newNamespace();
    private Instant now = Instant.EPOCH;
    private final ResourceQuotas quotas = new ResourceQuotas(API.client(), () -> now);

    @Test
    void leavesWhatTheTightestQuotaOfTheNamespaceLeaves() {
        counted(
                "cores",
                Map.of("requests.cpu", new Quantity("10"), "limits.cpu", new Quantity("4")),
                Map.of("requests.cpu", new Quantity("9500m"), "limits.cpu", new Quantity("1")));
        counted("memory", Map.of("memory", new Quantity("3Gi")), Map.of("memory", GIBIBYTE));

        assertThat(quotas.left(namespace))
                .isEqualTo(new Allowance(Optional.of(0.5), Optional.of(2L << 30)));
    }

    @Test
    void leavesAllWhereThereIsNoQuotaOrOnlyOneOfSomethingElse() {
        counted("pods", Map.of("pods", new Quantity("3")), Map.of("pods", new Quantity("3")));

        assertThat(quotas.left(namespace)).isEqualTo(Allowance.UNLIMITED);
    }

    @Test
    void readsAgainAfterHalfAMinute() {
        assertThat(quotas.left(namespace)).isEqualTo(Allowance.UNLIMITED);
        counted("memory", Map.of("memory", GIBIBYTE), Map.of());

        now = now.plus(Duration.ofSeconds(29));
        assertThat(quotas.left(namespace)).isEqualTo(Allowance.UNLIMITED);
        now = now.plus(Duration.ofSeconds(2));
        assertThat(quotas.left(namespace).memory()).contains(1L << 30);
    }

    @Test
    void leavesOutAQuotaThatCountsSomePodsOnly() {
        ResourceQuota quota =
                new ResourceQuotaBuilder()
                        .withNewSpec()
                        .withScopes("BestEffort")
                        .endSpec()
                        .withNewStatus()
                        .addToHard("cpu", new Quantity("1"))
                        .endStatus()
                        .build();

        assertThat(ResourceQuotas.left(quota)).isEqualTo(Allowance.UNLIMITED);
    }

    /** No controller counts here, so that the test says what it would have counted. */
    private void counted(String name, Map<String, Quantity> hard, Map<String, Quantity> used) {
        ResourceQuota quota =
                new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(hard)
                        .endSpec()
                        .build();
        ResourceQuota created = API.client().resource(quota).create();
        API.client()
                .resource(
                        new ResourceQuotaBuilder(created)
                                .withNewStatus()
                                .withHard(hard)
                                .withUsed(used)
                                .endStatus()
                                .build())
                .updateStatus();
    }
}
