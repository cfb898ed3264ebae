// SPDX-License-Identifier: Apache-2.0
/** One look after the other at each job: read its metrics, decide, and rescale it. */
@NullMarked
package io.sluice.autoscaler.cycle;

import org.jspecify.annotations.NullMarked;
