// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/** Whether a job is in a state to be scaled. */
public enum Health {
    /** It runs, all of it, and its resource is settled. */
    STEADY,
    /** Its resource is being changed, or it ended meanwhile. */
    UNSETTLED,
    /** It runs, but not all of its subtasks do: it comes back from a failure or a rescale. */
    RECOVERING,
    /** It is a half of a blue/green pair, and a transition of that is in progress. */
    BETWEEN_HALVES
}
