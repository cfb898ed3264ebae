// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.LifecycleOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The operator's default configuration, which an administrator changes under running jobs. */
final class SimulatedDefaults {
    private DefaultConfiguration now;

    /**
     * @param pullsFirst whether an image is pulled before a job is stopped for it
     */
    SimulatedDefaults(boolean pullsFirst) {
        now =
                pullsFirst
                        ? DefaultConfiguration.NONE
                        : new DefaultConfiguration(
                                new FlinkConfiguration(
                                        Map.of(LifecycleOptions.PULL_IMAGE_FIRST.key(), "false")));
    }

    DefaultConfiguration now() {
        return now;
    }

    /** What an administrator has set, by key. */
    SortedMap<String, String> changed() {
        SortedMap<String, String> changed = new TreeMap<>(now.base().entries());
        changed.remove(LifecycleOptions.PULL_IMAGE_FIRST.key());
        return changed;
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
