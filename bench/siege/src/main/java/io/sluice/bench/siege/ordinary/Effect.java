// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

/** What the processes do in the world, as JobManagers and the API server see it. */
enum Effect {
    /** A JobManager was created. */
    DEPLOYED,
    /** A running job was asked to stop with a savepoint. */
    STOPPED,
    /** A running job was cancelled. */
    CANCELLED,
    /** A job got other resource requirements. */
    SCALED,
    /** A jar was run. */
    SUBMITTED,
    /** A resource is gone from the API server. */
    GONE
}
