// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.SpecView;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Asks for another parallelism of a job whose scheduler can't be asked, or for none any more. */
final class SimulatedAutoscaler {
    static final String ENABLED = "job.autoscaler.enabled";
    private static final String VERTEX = "aa";

    private ParallelismOverrides asked = ParallelismOverrides.NONE;
    private int parallelism;

    void ask() {
        asked = ParallelismOverrides.NONE.with(Map.of(VERTEX, 1 + ++parallelism % 7));
    }

    void forget() {
        asked = ParallelismOverrides.NONE;
    }

    ParallelismOverrides asked() {
        return asked;
    }

    /** What is wanted, as the observer puts it together. */
    SpecView in(SpecView spec) {
        return new AutoscalerOverrides(asked, Map.of(), Set.of(), Optional.empty())
                .in(spec, FlinkDeploymentSpec::flinkConfiguration);
    }
}
