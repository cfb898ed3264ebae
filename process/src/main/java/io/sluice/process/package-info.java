// SPDX-License-Identifier: Apache-2.0
/**
 * What webhook, operator and autoscaler have in common as processes: their environment, their log,
 * and their configuration as it is now.
 */
@NullMarked
package io.sluice.process;

import org.jspecify.annotations.NullMarked;
