// SPDX-License-Identifier: Apache-2.0
/**
 * FlinkStateSnapshots: one savepoint or checkpoint of a job as a resource.
 *
 * <pre>
 *   observe ──▶ SnapshotObservedState ──▶ SnapshotDecider ──▶ SnapshotDecision
 *                                                               │ status is stored
 *                                                               ▼
 *                                                             SnapshotActions ──▶ events
 * </pre>
 */
@NullMarked
package io.sluice.operator.statesnapshot;

import org.jspecify.annotations.NullMarked;
