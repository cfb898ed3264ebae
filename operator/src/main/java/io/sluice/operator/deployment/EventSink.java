// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeployment;
import java.util.List;

/** Tells notes as Kubernetes events. Never fails a pass. */
public interface EventSink {
    void tell(FlinkDeployment resource, List<ResourceEvent> notes);
}
