// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The spec as far as it can be used. */
public sealed interface SpecView {
    /** Validators answer soon, or fail. */
    Duration UNDER_WAY = Duration.ofSeconds(1);

    /**
     * @param raw as it is stored, defaults filled in
     */
    record Valid(FlinkDeploymentSpec spec, ObjectNode raw) implements SpecView {}

    /**
     * A spec that is not carried out.
     *
     * @param reason what of it: the built-in rules, a validator, or that nobody can tell yet
     * @param problems one line each: rule, field, value, what to do
     * @param asksForState whether its upgrade mode, as far as it can be read, is one that keeps the
     *     job's state
     */
    record Invalid(Reason reason, List<String> problems, boolean asksForState) implements SpecView {
        public Invalid {
            problems = List.copyOf(problems);
        }

        /** One that asks for no state. */
        public Invalid(Reason reason, List<String> problems) {
            this(reason, problems, false);
        }

        /** One that breaks the built-in rules, and asks for no state. */
        public Invalid(List<String> problems) {
            this(Reason.SPEC_INVALID, problems);
        }

        /**
         * The spec that is written in {@code raw}.
         *
         * @param reason why it is not carried out
         */
        public static Invalid of(ObjectNode raw, Reason reason, List<String> problems) {
            boolean asksForState =
                    Optional.ofNullable(UpgradeMode.WORDS.get(raw.at("/job/upgradeMode").asText()))
                            .filter(UpgradeMode::keepsState)
                            .isPresent();
            return new Invalid(reason, problems, asksForState);
        }

        /**
         * When to look again; empty if only another spec can change anything.
         *
         * @param steady how long to wait for what may change by itself
         */
        public Optional<Duration> checkAgain(Duration steady) {
            if (reason == Reason.SPEC_INVALID) {
                return Optional.empty();
            }
            return Optional.of(reason == Reason.VALIDATING ? UNDER_WAY : steady);
        }

        /** Whether one of them is of the rule of this id. */
        public boolean breaks(String rule) {
            return problems.stream().anyMatch(line -> line.startsWith(rule + " "));
        }
    }

    /** Whether the user asks for a job that keeps its state, be it in a spec that is invalid. */
    default boolean asksForState() {
        return switch (this) {
            case Valid(var spec, _) ->
                    spec.job().filter(job -> job.upgradeMode().keepsState()).isPresent();
            case Invalid invalid -> invalid.asksForState;
        };
    }

    /**
     * How parallel single vertices are to be: as it says, else as the last reconciled spec says.
     */
    default ParallelismOverrides parallelism(Optional<LastReconciledSpec> lastReconciled) {
        return switch (this) {
            case Valid(var spec, _) -> ParallelismOverrides.in(spec.flinkConfiguration());
            case Invalid _ ->
                    lastReconciled
                            .map(it -> ParallelismOverrides.in(it.spec().flinkConfiguration()))
                            .orElse(ParallelismOverrides.NONE);
        };
    }

    /**
     * Whether it can be read, and differs from {@code before} with this effect or a greater one.
     */
    default boolean changes(FlinkDeploymentSpec before, SpecDiff.Effect least) {
        return this instanceof Valid(var wanted, _)
                && SpecDiff.between(before, wanted).effect().compareTo(least) >= 0;
    }
}
