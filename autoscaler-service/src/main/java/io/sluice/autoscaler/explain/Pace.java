// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

/** Whether a job keeps up with its load, by one look at it. */
public enum Pace {
    /** Nothing was measured. */
    UNKNOWN,
    KEEPS_UP,
    /** Records wait for longer than they are to, or a vertex is busy all the time. */
    BEHIND
}
