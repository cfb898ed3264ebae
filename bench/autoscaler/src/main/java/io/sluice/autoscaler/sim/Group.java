// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

/** How kind a trace is. */
enum Group {
    /** Every job can be judged, and grows as it should. */
    KIND,

    /** A part of the job can't be judged. */
    HARD,

    /** Loads, jobs and clusters as they are, looked at as the service looks. */
    HARSH
}
