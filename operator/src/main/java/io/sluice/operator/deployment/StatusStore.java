// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;

/** Where intent is recorded. */
public interface StatusStore {
    /**
     * Replaces the status of {@code resource}, but only if nobody has changed the resource since it
     * was read.
     *
     * @return false if somebody has: then nothing is written, and the pass must not act
     */
    boolean save(FlinkDeployment resource, ObjectNode status);
}
