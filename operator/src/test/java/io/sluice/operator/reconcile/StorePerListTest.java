// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.cache.TrimmedStore;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class StorePerListTest {
    private final InformerEventSourceConfiguration<Deployment> asked =
            InformerEventSourceConfiguration.from(Deployment.class, FlinkDeployment.class)
                    .withName("Deployment")
                    .withLabelSelector("component=jobmanager")
                    .withNamespaces(Set.of("shop", "bank"))
                    .withFollowControllerNamespacesChanges(true)
                    .withInformerListLimit(Controller.PAGE)
                    .withSecondaryToPrimaryMapper(child -> Set.of(ResourceID.fromResource(child)))
                    .build();
    private final InformerEventSourceConfiguration<Deployment> given =
            StorePerList.of(asked, () -> new TrimmedStore<>(UnaryOperator.identity()));

    @Test
    void eachListHasAStoreOfItsOwn() {
        var informers = given.getInformerConfig();

        assertThat(informers.getItemStore())
                .isInstanceOf(TrimmedStore.class)
                .isNotSameAs(informers.getItemStore());
    }

    @Test
    void allElseIsAsItWasAskedFor() {
        assertThat(given.getInformerConfig())
                .usingRecursiveComparison()
                .ignoringFields("itemStore", "stores")
                .isEqualTo(asked.getInformerConfig());
        assertThat(given.name()).isEqualTo("Deployment");
        assertThat(given.followControllerNamespaceChanges()).isTrue();
        assertThat(given.getSecondaryToPrimaryMapper())
                .isSameAs(asked.getSecondaryToPrimaryMapper());
    }
}
