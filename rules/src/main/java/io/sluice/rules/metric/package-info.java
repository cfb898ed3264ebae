// SPDX-License-Identifier: Apache-2.0
/** The one list of metrics: what processes register from, and what the reference is made of. */
@NullMarked
package io.sluice.rules.metric;

import org.jspecify.annotations.NullMarked;
