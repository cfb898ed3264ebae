// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.ObservedState;

/**
 * Reads everything a decision needs. A read that failed is a value in the snapshot; this never
 * throws for a cluster that is ill.
 */
public interface Observer {
    ObservedState observe(FlinkDeployment resource);
}
