// SPDX-License-Identifier: Apache-2.0
package org.apache.flink.autoscaler;

import java.lang.invoke.MethodHandles;
import java.time.Clock;

/**
 * Puts the bare engine's executor into virtual time. It keeps a clock of the system in a field that
 * nothing sets, and waits by it before it scales down: without this the bare engine would never do
 * so in a simulation, which would flatter us.
 */
public final class BareClock {
    private BareClock() {}

    public static void set(ScalingExecutor<?, ?> executor, Clock clock) {
        try {
            var scaler =
                    (JobVertexScaler<?, ?>)
                            MethodHandles.privateLookupIn(
                                            ScalingExecutor.class, MethodHandles.lookup())
                                    .findVarHandle(
                                            ScalingExecutor.class,
                                            "jobVertexScaler",
                                            JobVertexScaler.class)
                                    .get(executor);
            scaler.setClock(clock);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException("the engine's executor is another one", changed);
        }
    }
}
