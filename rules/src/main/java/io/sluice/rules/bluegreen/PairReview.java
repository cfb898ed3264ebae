// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.deployment.DeploymentReview;
import java.util.Optional;

/**
 * Everything that the rules of a FlinkBlueGreenDeployment look at.
 *
 * @param half the FlinkDeployment with the longer name, as if it were never deployed before
 */
record PairReview(FlinkBlueGreenDeploymentSpec spec, DeploymentReview half) {
    Options configuration() {
        return new Options(spec.configuration());
    }

    Options effective() {
        return new Options(half.effective());
    }

    Optional<JobSpec> job() {
        return half.spec().job();
    }

    /** Whether both halves run during a transition. */
    boolean overlaps() {
        return configuration().get(BlueGreenOptions.HANDOVER).equals("overlap");
    }
}
