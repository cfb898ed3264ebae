// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.Map;
import java.util.Optional;

/** Whoever decides in a simulation. */
@FunctionalInterface
interface Scaler {
    /** One look; parallelisms by vertex id if they are to change. */
    Optional<Map<String, Integer>> look() throws Exception;
}
