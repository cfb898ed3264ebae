// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ParallelismOverrides;
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
     */
    record Invalid(Reason reason, List<String> problems) implements SpecView {
        public Invalid {
            problems = List.copyOf(problems);
        }

        /** One that breaks the built-in rules. */
        public Invalid(List<String> problems) {
            this(Reason.SPEC_INVALID, problems);
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
        boolean breaks(String rule) {
            return problems.stream().anyMatch(line -> line.startsWith(rule + " "));
        }
    }

    /** How parallel single vertices are to be: as it says, else as what was taken up says. */
    default ParallelismOverrides parallelism(Optional<TakenUp> takenUp) {
        return switch (this) {
            case Valid(var spec, _) -> ParallelismOverrides.in(spec.flinkConfiguration());
            case Invalid _ ->
                    takenUp.map(it -> ParallelismOverrides.in(it.spec().flinkConfiguration()))
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
