// SPDX-License-Identifier: Apache-2.0
/**
 * Steps that take a job from one spec to the next: upgrades, suspensions, rollbacks and
 * redeployments.
 */
@NullMarked
package io.sluice.operator.decide.upgrade;

import org.jspecify.annotations.NullMarked;
