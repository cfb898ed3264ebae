// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.ResourceKind;

/** What a job is known by. */
public enum JobKind {
    FLINK_DEPLOYMENT(ResourceKind.FLINK_DEPLOYMENT.wire()),
    FLINK_SESSION_JOB(ResourceKind.FLINK_SESSION_JOB.wire()),
    /** By no resource: it was found on a Flink cluster. */
    JOB("Job");

    private final String wire;

    JobKind(String wire) {
        this.wire = wire;
    }

    /** As people and the API server call it. */
    public String wire() {
        return wire;
    }
}
