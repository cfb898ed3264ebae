// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobStateTck;
import java.net.URI;

/** The simulator's model of an application does what real Flink does with a job and its state. */
class SimulatedStateTest extends JobStateTck {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private final SimulatedJobManager rest = new SimulatedJobManager(JOB);

    @Override
    protected JobManagerRest rest() {
        return rest;
    }

    @Override
    protected URI at() {
        return URI.create("http://simulated:8081");
    }

    @Override
    protected String startJob() {
        rest.jobs(at());
        return JOB;
    }

    /** It does so by itself. */
    @Override
    protected void completeACheckpoint(String jobId) {}

    @Override
    protected String savepoints() {
        return "file:/savepoints";
    }
}
