// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ObservedState.Identity;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Copies of an {@link ObservedState} in which one part is another. */
final class ObservedStates {
    private ObservedStates() {}

    static ObservedState with(ObservedState observed, Target target) {
        return new ObservedState(
                observed.identity(),
                target,
                observed.spec(),
                observed.status(),
                observed.takenUp(),
                observed.defaults(),
                observed.cluster(),
                observed.job(),
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                observed.health(),
                observed.polls(),
                observed.now(),
                observed.run());
    }

    static ObservedState with(ObservedState observed, DefaultConfiguration defaults) {
        return new ObservedState(
                observed.identity(),
                observed.target(),
                observed.spec(),
                observed.status(),
                observed.takenUp(),
                defaults,
                observed.cluster(),
                observed.job(),
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                observed.health(),
                observed.polls(),
                observed.now(),
                observed.run());
    }

    static ObservedState with(ObservedState observed, ClusterHealth health) {
        return new ObservedState(
                observed.identity(),
                observed.target(),
                observed.spec(),
                observed.status(),
                observed.takenUp(),
                observed.defaults(),
                observed.cluster(),
                observed.job(),
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                Optional.of(health),
                observed.polls(),
                observed.now(),
                observed.run());
    }

    static ObservedState with(ObservedState observed, RunView run) {
        return new ObservedState(
                observed.identity(),
                observed.target(),
                observed.spec(),
                observed.status(),
                observed.takenUp(),
                observed.defaults(),
                observed.cluster(),
                observed.job(),
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                observed.health(),
                observed.polls(),
                observed.now(),
                run);
    }

    static ObservedState with(
            ObservedState observed,
            Map<String, Integer> overrides,
            ScalingView scaling,
            StateView state,
            Optional<String> refusal,
            Instant now) {
        return new ObservedState(
                observed.identity(),
                observed.target(),
                observed.spec(),
                observed.status(),
                observed.takenUp(),
                observed.defaults(),
                observed.cluster(),
                observed.job(),
                overrides,
                scaling,
                state,
                refusal,
                observed.health(),
                observed.polls(),
                now,
                observed.run());
    }

    /** The last reconciled spec is the one in {@code status}. */
    static ObservedState with(
            ObservedState observed,
            Identity identity,
            SpecView spec,
            FlinkDeploymentStatus status,
            ClusterView cluster,
            JobView job) {
        return new ObservedState(
                identity,
                observed.target(),
                spec,
                status,
                LastReconciledSpec.from(status.reconciliationStatus()),
                observed.defaults(),
                cluster,
                job,
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                observed.health(),
                observed.polls(),
                observed.now(),
                observed.run());
    }
}
