// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeployment;

/**
 * Carries out actions. Expected refusals are kept for the next observation; faults of the API
 * server are thrown and retried.
 */
public interface Effects {
    /** When the status was stored that says what is to be done. */
    enum Intent {
        /** By the pass that performs it: nobody has had the time to want something else. */
        STORED_NOW,
        /** By a pass before; what was read may be late. */
        STORED_BEFORE
    }

    void perform(FlinkDeployment resource, Action action, Intent intent);
}
