// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.rules.diff.SpecDiff;
import java.util.List;

/** The spec as far as it can be used. */
public sealed interface SpecView {
    /**
     * @param raw as it is stored, defaults filled in
     */
    record Valid(FlinkDeploymentSpec spec, ObjectNode raw) implements SpecView {}

    /**
     * @param problems one line each: rule, field, value, what to do
     */
    record Invalid(List<String> problems) implements SpecView {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Whether it can be read, and differs from {@code before} with this effect or a greater one.
     */
    default boolean changes(FlinkDeploymentSpec before, SpecDiff.Effect least) {
        return this instanceof Valid(var wanted, _)
                && SpecDiff.between(before, wanted).effect().compareTo(least) >= 0;
    }
}
