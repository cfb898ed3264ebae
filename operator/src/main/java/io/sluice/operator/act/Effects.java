// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.Action;

/**
 * Carries out actions. Expected refusals are kept for the next observation; faults of the API
 * server are thrown and retried.
 */
public interface Effects {
    /**
     * @param resource in the version that the reconciliation has stored, which says what is to be
     *     done
     */
    void perform(FlinkDeployment resource, Action action);
}
