// SPDX-License-Identifier: Apache-2.0
/** What the autoscaler remembers of a job's rescales and of what came in. */
@NullMarked
package io.sluice.autoscaler.history;

import org.jspecify.annotations.NullMarked;
