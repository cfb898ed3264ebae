// SPDX-License-Identifier: Apache-2.0
/**
 * What the steps of a decision share: their context, what they come to, and what is certain of the
 * job.
 */
@NullMarked
package io.sluice.operator.decide.step;

import org.jspecify.annotations.NullMarked;
