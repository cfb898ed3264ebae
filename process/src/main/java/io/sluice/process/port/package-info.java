// SPDX-License-Identifier: Apache-2.0
/**
 * How many connections a port holds, for whom and for how long, and a small server for probes and
 * metrics that keeps to it.
 */
@NullMarked
package io.sluice.process.port;

import org.jspecify.annotations.NullMarked;
