// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.ResourceEvent;
import java.util.List;

/** Tells notes as Kubernetes events. Never fails a reconciliation. */
public interface EventSink {
    void tell(FlinkDeployment resource, List<ResourceEvent> notes);
}
