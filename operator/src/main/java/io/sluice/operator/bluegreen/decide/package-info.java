// SPDX-License-Identifier: Apache-2.0
/** What is done about a pair: pure functions from what was observed to the next status. */
@NullMarked
package io.sluice.operator.bluegreen.decide;

import org.jspecify.annotations.NullMarked;
