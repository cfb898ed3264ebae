// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether users are told of each change by which a job is scaled while it runs. */
public final class ToldScalings {
    /** What was asked of the job of a Deployment last, by the uid of that. */
    private final Map<String, String> asked = new HashMap<>();

    /** Whether a change was told since, or may be lost with a process of the operator. */
    private boolean isTold;

    private boolean isAsked;

    /** A new resource. */
    public void begins() {
        isTold = false;
        isAsked = false;
    }

    /** The JobManager of a Deployment is asked for other bounds of the parallelism. */
    public void asks(String deployment, String bounds) {
        isAsked |= !bounds.equals(asked.put(deployment, bounds));
    }

    public void told(List<ResourceEvent> events) {
        isTold |=
                events.stream()
                        .filter(it -> it.of() == OperatorEvent.SPEC_CHANGED)
                        .anyMatch(it -> it.message().startsWith("SCALE"));
    }

    /** A process of the operator was interrupted, and tells nothing of what it has decided. */
    public void lost() {
        isTold = true;
    }

    /** A process of the operator has looked at the resource: what it has not told of. */
    public Optional<String> looked() {
        if (!isAsked) {
            return Optional.empty();
        }
        boolean isUntold = !isTold;
        isAsked = false;
        isTold = false;
        return isUntold
                ? Optional.of("a job is scaled, and no event says that its spec has changed")
                : Optional.empty();
    }
}
