// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.ResourceEvent;
import java.util.List;

/** Records events in Kubernetes. It never fails a reconciliation. */
public interface EventSink {
    void tell(FlinkDeployment resource, List<ResourceEvent> notes);
}
