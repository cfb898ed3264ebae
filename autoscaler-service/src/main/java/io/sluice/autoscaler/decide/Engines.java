// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.state.StateCodec;
import io.sluice.autoscaler.state.StateLimits;
import java.time.Clock;

/** Makes the engines of all jobs, which read and write their state within the same limits. */
public final class Engines {
    private final StateCodec text;

    /**
     * @param limits of what is stored of each job
     */
    public Engines(StateLimits limits) {
        text = new StateCodec(limits);
    }

    /** Makes an engine that remembers nothing yet. */
    public Engine create() {
        return new Engine(new RecordingCollector(), Clock.systemUTC(), text);
    }
}
