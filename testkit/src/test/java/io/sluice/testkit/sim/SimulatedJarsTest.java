// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.flink.rest.JarRunTck;
import io.sluice.flink.rest.JobManagerRest;
import java.net.URI;
import java.nio.file.Path;

/** The simulator's model of a session cluster does what real Flink does with jars. */
class SimulatedJarsTest extends JarRunTck {
    private final SimulatedJobManager rest =
            new SimulatedJobManager("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    private int jobs;

    @Override
    protected JobManagerRest rest() {
        return rest;
    }

    @Override
    protected URI at() {
        return URI.create("http://simulated:8081");
    }

    /** Nobody looks into it. */
    @Override
    protected Path jar() {
        return Path.of("ticks.jar");
    }

    @Override
    protected String freshJobId() {
        return "%032x".formatted(++jobs);
    }
}
