// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherResourcesTest {
    private static final String NOTHING = "";

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void localDiskOfTheOlderFormIsRequestedAndTheLimit(String mode) throws Exception {
        ResourceRequirements resources =
                jobManager(mode, "resource: {cpu: 1, memory: 1g, ephemeralStorage: 2g}", NOTHING);

        assertThat(resources.getRequests())
                .containsOnlyKeys("cpu", "memory", "ephemeral-storage")
                .containsEntry("ephemeral-storage", new Quantity("2147483648"));
        assertThat(resources.getLimits())
                .containsEntry("ephemeral-storage", new Quantity("2147483648"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void everyOtherResourceReachesTheContainerAsItIsWritten(String mode) throws Exception {
        ResourceRequirements resources =
                jobManager(
                        mode,
                        "resource: {ephemeralStorage: 2g}, resources: {requests: {memory: 1Gi,"
                                + " ephemeral-storage: 1Gi}, limits: {nvidia.com/gpu: 1}, claims:"
                                + " [{name: card, request: half}]}",
                        NOTHING);

        assertThat(resources.getRequests())
                .containsEntry("ephemeral-storage", new Quantity("1Gi"))
                .doesNotContainKey("nvidia.com/gpu");
        assertThat(resources.getLimits())
                .containsEntry("nvidia.com/gpu", new Quantity("1"))
                .doesNotContainKey("ephemeral-storage");
        assertThat(resources.getClaims()).containsExactly(new ResourceClaim("card", "half"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void whatThePodTemplateSaysOfAResourceStays(String mode) throws Exception {
        ResourceRequirements resources =
                jobManager(
                        mode,
                        "resources: {requests: {memory: 1Gi, ephemeral-storage: 2Gi}, limits:"
                                + " {ephemeral-storage: 3Gi, nvidia.com/gpu: 1}, claims: [{name:"
                                + " card}, {name: disk}]}",
                        "resources: {limits: {ephemeral-storage: 1Gi}, claims: [{name: card,"
                                + " request: half}]}");

        assertThat(resources.getRequests()).doesNotContainKey("ephemeral-storage");
        assertThat(resources.getLimits())
                .containsEntry("ephemeral-storage", new Quantity("1Gi"))
                .containsEntry("nvidia.com/gpu", new Quantity("1"));
        assertThat(resources.getClaims())
                .containsExactly(
                        new ResourceClaim("card", "half"), new ResourceClaim("disk", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void claimsAloneLeaveTheOlderFormInForce(String mode) throws Exception {
        ResourceRequirements resources =
                jobManager(
                        mode,
                        "resource: {cpu: 3, memory: 1g, ephemeralStorage: 1Gi}, resources: {claims:"
                                + " [{name: card}]}",
                        NOTHING);

        assertThat(Quantity.getAmountInBytes(resources.getRequests().get("cpu")))
                .isEqualByComparingTo("3");
        assertThat(resources.getRequests()).containsKey("ephemeral-storage");
        assertThat(resources.getClaims()).hasSize(1);
    }

    private static ResourceRequirements jobManager(String mode, String sizes, String container)
            throws Exception {
        Deployment deployment =
                (Deployment)
                        ManifestRenderer.render(
                                        Plans.of(
                                                """
                                                image: flink:1.20
                                                flinkVersion: v1_20
                                                mode: %s
                                                jobManager: {%s, podTemplate: {spec: {containers: [{name: flink-main-container, %s}]}}}
                                                taskManager: {resource: {cpu: 1, memory: 1g}}
                                                job: {jarURI: "local:///a.jar", parallelism: 1}
                                                """
                                                        .formatted(mode, sizes, container)))
                                .getFirst();
        return deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources();
    }
}
