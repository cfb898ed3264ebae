// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.canary;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CanaryResourcesTest {
    private static final Map<String, String> LABEL = Map.of("flink.apache.org/canary", "true");

    @Test
    void areInTheNamespaceOfTheReleaseUnlessTheConfigurationSaysOtherwise() {
        CanaryResources usual = CanaryResources.of(DefaultConfiguration.NONE, "sluice-system");

        assertThat(usual.contains("sluice-system", "any", LABEL)).isTrue();
        assertThat(usual.contains("sluice-system", "any", Map.of())).isFalse();
        assertThat(usual.contains("tenant", "any", LABEL)).isFalse();
    }

    @Test
    void areWhereTheConfigurationListsThem() {
        CanaryResources listed =
                CanaryResources.of(
                        new DefaultConfiguration(
                                new FlinkConfiguration(
                                        Map.of(
                                                "kubernetes.operator.health.canary.resources",
                                                "probes, tenant/tweety"))),
                        "sluice-system");

        assertThat(listed.contains("probes", "any", LABEL)).isTrue();
        assertThat(listed.contains("tenant", "tweety", LABEL)).isTrue();
        assertThat(listed.contains("tenant", "other", LABEL)).isFalse();
        assertThat(listed.contains("sluice-system", "any", LABEL)).isFalse();
        assertThat(listed.problem("tenant", "other", LABEL)).isPresent();
        assertThat(listed.problem("tenant", "other", Map.of())).isEmpty();
    }
}
