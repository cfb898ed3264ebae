// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.FlinkPod;

/** Pod templates of the components, with what their specs and the platform say beside them. */
final class PodTemplates {
    static final String MAIN_CONTAINER = FlinkPod.MAIN_CONTAINER;

    private PodTemplates() {}

    /** The JobManager's as a Pod; what the user wrote is left as it is. */
    static ObjectNode jobManager(ClusterPlan plan) {
        ObjectNode pod = of(plan, plan.spec().jobManager());
        StartupProbe.put(plan, main(pod));
        return pod;
    }

    /** Likewise the TaskManagers'. */
    static ObjectNode taskManager(ClusterPlan plan) {
        return of(plan, plan.spec().taskManager());
    }

    /** The container that Flink runs in, which a template made here always has. */
    static ObjectNode main(ObjectNode pod) {
        return FlinkPod.main(pod);
    }

    private static ObjectNode of(ClusterPlan plan, ComponentSpec component) {
        ObjectNode pod =
                FlinkPod.of(
                        plan.spec().podTemplate(),
                        component.podTemplate(),
                        FillIn.of(new Options(plan.effective())));
        OtherResources.put(component, main(pod));
        return pod;
    }
}
