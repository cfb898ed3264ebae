// SPDX-License-Identifier: Apache-2.0
/**
 * Steps that carry out a recorded spec: creation, observation, end and deletion of clusters and
 * session jobs.
 */
@NullMarked
package io.sluice.operator.decide.lifecycle;

import org.jspecify.annotations.NullMarked;
