// SPDX-License-Identifier: Apache-2.0
/** What the engine remembers of a job, and how it is stored within limits. */
@NullMarked
package io.sluice.autoscaler.state;

import org.jspecify.annotations.NullMarked;
