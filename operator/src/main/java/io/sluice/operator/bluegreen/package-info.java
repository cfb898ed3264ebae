// SPDX-License-Identifier: Apache-2.0
/**
 * FlinkBlueGreenDeployments: two FlinkDeployments that take turns. A half is a resource of its own,
 * and its job is left to the reconciliation of FlinkDeployments.
 */
@NullMarked
package io.sluice.operator.bluegreen;

import org.jspecify.annotations.NullMarked;
