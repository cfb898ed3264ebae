// SPDX-License-Identifier: Apache-2.0
/**
 * FlinkSessionJobs: what is read of them, and how they are handed to their cluster. What is decided
 * about them is decided by the same flow as for FlinkDeployments, in {@code operator.deployment}.
 */
@NullMarked
package io.sluice.operator.sessionjob;

import org.jspecify.annotations.NullMarked;
