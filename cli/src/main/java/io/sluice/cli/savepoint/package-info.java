// SPDX-License-Identifier: Apache-2.0
/** {@code sluice savepoint}: creates a FlinkStateSnapshot of a job, and follows it. */
@NullMarked
package io.sluice.cli.savepoint;

import org.jspecify.annotations.NullMarked;
