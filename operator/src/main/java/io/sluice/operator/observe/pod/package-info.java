// SPDX-License-Identifier: Apache-2.0
/** Reads what pods say: what keeps them from running, and whether they may yet run. */
@NullMarked
package io.sluice.operator.observe.pod;

import org.jspecify.annotations.NullMarked;
