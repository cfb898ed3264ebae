// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.config.LeaseTerms;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeadershipGuardTest {
    private static final LeaseTerms TERMS =
            new LeaseTerms(
                    "home",
                    "lease",
                    "me",
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2));

    private final AtomicBoolean mayAct = new AtomicBoolean(true);
    private final AtomicInteger saved = new AtomicInteger();
    private final AtomicInteger acted = new AtomicInteger();

    @Test
    void letsALeaderThrough() {
        run(() -> {});

        assertThat(acted).hasValue(1);
    }

    @Test
    void letsNobodyElseBegin() {
        mayAct.set(false);

        assertThatThrownBy(() -> run(() -> {})).isInstanceOf(LeadershipGuard.NotLeading.class);

        assertThat(saved).hasValue(0);
    }

    @Test
    void stopsBetweenTheIntentAndItsEffects() {
        assertThatThrownBy(() -> run(() -> mayAct.set(false)))
                .isInstanceOf(LeadershipGuard.NotLeading.class);

        assertThat(saved).hasValue(1);
        assertThat(acted).hasValue(0);
    }

    @Test
    void followsOnlyWhileItLeads() {
        var lost = new AtomicInteger();
        try (var leadership = new Leadership(TERMS, () -> 0, lost::incrementAndGet)) {
            assertThat(leadership.mayAct()).isFalse();
            leadership.configuration().getLeaderCallbacks().orElseThrow().onStartLeading();
            assertThat(leadership.mayAct()).isTrue();

            leadership.configuration().getLeaderCallbacks().orElseThrow().onStopLeading();

            assertThat(leadership.mayAct()).isFalse();
            assertThat(lost).hasValue(1);
        }
    }

    @Test
    void isNotLostWhenItEndsInGoodOrder() {
        var lost = new AtomicInteger();
        try (var leadership = new Leadership(TERMS, () -> 0, lost::incrementAndGet)) {
            leadership.leave();

            leadership.configuration().getLeaderCallbacks().orElseThrow().onStopLeading();

            assertThat(lost).hasValue(0);
        }
    }

    private void run(Runnable meanwhile) {
        ResourceReconciler<FlinkDeployment, ChildResources> inner =
                (resource, _, store) -> {
                    store.save(resource, JsonNodeFactory.instance.objectNode());
                    acted.incrementAndGet();
                    return new Outcome(Reason.JOB_RUNNING, true, false, Optional.empty());
                };
        new LeadershipGuard(mayAct::get)
                .guarded(inner)
                .reconcile(
                        new FlinkDeployment(),
                        new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                        (_, _) -> {
                            saved.incrementAndGet();
                            meanwhile.run();
                            return Saved.KEPT;
                        });
    }
}
