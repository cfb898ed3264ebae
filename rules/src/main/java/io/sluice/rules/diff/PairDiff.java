// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.config.Options;

/**
 * What a change of the template of a FlinkBlueGreenDeployment asks for.
 *
 * @param changes of the template's spec
 */
public record PairDiff(Effect effect, SpecDiff changes) {
    /** What is done about a change, from the least to the most. */
    public enum Effect {
        NONE,
        /** The active half gets the new spec, and its job is not restarted. */
        IN_PLACE,
        /** The active half is suspended. */
        SUSPEND,
        /** The active half, which is suspended, gets the new spec. */
        WHILE_SUSPENDED,
        /** The active half is resumed. */
        RESUME,
        /** The other half is started from the savepoint that the template names. */
        REDEPLOY,
        /** The other half is started without state. */
        TRANSITION_WITHOUT_STATE,
        /** The other half is started from a savepoint of the active one. */
        TRANSITION;

        /** Whether the active half stays the active one. */
        public boolean isInPlace() {
            return switch (this) {
                case NONE, IN_PLACE, SUSPEND, WHILE_SUSPENDED, RESUME -> true;
                case REDEPLOY, TRANSITION_WITHOUT_STATE, TRANSITION -> false;
            };
        }

        /**
         * Whether a transition that is in progress is ended for such a change of its spec, and
         * begins again from the active half.
         */
        public boolean endsTransition() {
            return switch (this) {
                case NONE, IN_PLACE -> false;
                case SUSPEND,
                        WHILE_SUSPENDED,
                        RESUME,
                        REDEPLOY,
                        TRANSITION_WITHOUT_STATE,
                        TRANSITION ->
                        true;
            };
        }
    }

    /**
     * @param before the template's spec as the active half has it
     * @param after as it is now
     */
    public static PairDiff between(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
        SpecDiff changes = SpecDiff.between(before, after);
        return new PairDiff(effect(before, after, changes), changes);
    }

    private static Effect effect(
            FlinkDeploymentSpec before, FlinkDeploymentSpec after, SpecDiff changes) {
        boolean ran = runs(before);
        boolean runs = runs(after);
        if (ran != runs) {
            return ran ? Effect.SUSPEND : Effect.RESUME;
        }
        if (changes.effect() == SpecDiff.Effect.NONE) {
            return Effect.NONE;
        }
        if (!ran) {
            return Effect.WHILE_SUSPENDED;
        }
        return switch (changes.effect()) {
            case NONE, IGNORE -> Effect.IN_PLACE;
            case SAVEPOINT_REDEPLOY -> Effect.REDEPLOY;
            case SCALE -> isScaledInPlace(after, changes) ? Effect.IN_PLACE : transition(after);
            case UPGRADE -> transition(after);
        };
    }

    private static Effect transition(FlinkDeploymentSpec after) {
        return keepsState(after) ? Effect.TRANSITION : Effect.TRANSITION_WITHOUT_STATE;
    }

    private static boolean isScaledInPlace(FlinkDeploymentSpec after, SpecDiff changes) {
        Options options = new Options(after.flinkConfiguration());
        return options.isReactive()
                || (changes.isOverridesOnly() && options.isScaledInPlace(after.flinkVersion()));
    }

    /** Whether a job of that spec goes on from the state of the former one. */
    public static boolean keepsState(FlinkDeploymentSpec spec) {
        return spec.job()
                .map(JobSpec::upgradeMode)
                .filter(mode -> mode != UpgradeMode.STATELESS)
                .isPresent();
    }

    private static boolean runs(FlinkDeploymentSpec spec) {
        return spec.job()
                .map(JobSpec::state)
                .filter(state -> state == DesiredJobState.SUSPENDED)
                .isEmpty();
    }
}
