// SPDX-License-Identifier: Apache-2.0
/**
 * FlinkSessionJobs: what is read of them, and how they are handed to their cluster. The steps in
 * {@code operator.decide} decide about them, as about FlinkDeployments.
 */
@NullMarked
package io.sluice.operator.sessionjob;

import org.jspecify.annotations.NullMarked;
