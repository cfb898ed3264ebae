// SPDX-License-Identifier: Apache-2.0
/**
 * How many reconciliations are at work, in which order, and how memory is given back after a burst.
 */
@NullMarked
package io.sluice.operator.pace;

import org.jspecify.annotations.NullMarked;
