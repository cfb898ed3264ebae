// SPDX-License-Identifier: Apache-2.0
/** Reads the FlinkStateSnapshots that a job's own reconciliation depends on. */
@NullMarked
package io.sluice.operator.observe.snapshot;

import org.jspecify.annotations.NullMarked;
