// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.HashMap;
import java.util.Map;

/** The operator's default configuration, which an administrator changes under running jobs. */
final class SimulatedDefaults {
    private DefaultConfiguration now = DefaultConfiguration.NONE;

    DefaultConfiguration now() {
        return now;
    }

    boolean has(String key) {
        return now.base().get(key).isPresent();
    }

    /** Adds all of {@code entries}, or takes them away if they are there. */
    void toggle(Map<String, String> entries) {
        Map<String, String> next = new HashMap<>(now.base().entries());
        if (next.entrySet().containsAll(entries.entrySet())) {
            next.keySet().removeAll(entries.keySet());
        } else {
            next.putAll(entries);
        }
        now = new DefaultConfiguration(new FlinkConfiguration(next));
    }

    FlinkConfiguration effective(FlinkDeploymentSpec spec) {
        return now.effective(
                SimulatedOperator.NAMESPACE, spec.flinkVersion(), spec.flinkConfiguration());
    }
}
