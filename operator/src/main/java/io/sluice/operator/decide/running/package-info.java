// SPDX-License-Identifier: Apache-2.0
/** Steps for a job that runs: savepoints, checkpoints, scaling in place and exceptions. */
@NullMarked
package io.sluice.operator.decide.running;

import org.jspecify.annotations.NullMarked;
