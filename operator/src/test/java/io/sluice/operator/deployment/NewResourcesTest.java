// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NewResourcesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final NewResources news = new NewResources(nanos::get);
    private final FlinkDeployment created = resource("uid-1");
    private final FlinkDeployment held = held(resource("uid-1"));

    @Test
    void knowsOneThatItHasSeenBeforeAnyOperatorTouchedIt() {
        news.added(created);
        news.told(held);

        assertThat(news.contains(held)).isTrue();
    }

    /** Another operator, or a former process, may have made a cluster for it. */
    @Test
    void knowsNothingOfOneThatHadTheFinalizerBefore() {
        news.added(held);

        assertThat(news.contains(held)).isFalse();
    }

    @Test
    void knowsNothingOfOneThatItWasNotToldOf() {
        assertThat(news.contains(held)).isFalse();
    }

    @Test
    void knowsNothingOfOneThatHadAStatusBefore() {
        news.added(reconciled(resource("uid-1")));

        assertThat(news.contains(held)).isFalse();
    }

    /** Of one that another process has reconciled, somebody may have removed the status. */
    @Test
    void forgetsOneOfWhichItHasSeenAStatus() {
        news.added(created);
        news.told(reconciled(held(resource("uid-1"))));

        assertThat(news.contains(held)).isFalse();
    }

    @Test
    void takesALaterOneOfTheNameForAnother() {
        news.added(created);

        assertThat(news.contains(held(resource("uid-2")))).isFalse();
    }

    @Test
    void forgetsOneThatWaitsForLong() {
        news.added(created);
        nanos.addAndGet(Duration.ofMinutes(5).toNanos());

        assertThat(news.contains(held)).isFalse();
    }

    private static FlinkDeployment resource(String uid) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("orders")
                        .withUid(uid)
                        .build());
        return resource;
    }

    private static FlinkDeployment held(FlinkDeployment resource) {
        resource.getMetadata().setFinalizers(List.of(FlinkDeploymentReconciler.FINALIZER));
        return resource;
    }

    private static FlinkDeployment reconciled(FlinkDeployment resource) {
        resource.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));
        return resource;
    }
}
