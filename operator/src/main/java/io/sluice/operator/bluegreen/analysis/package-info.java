// SPDX-License-Identifier: Apache-2.0

/** Asks Flink and Prometheus what the analysis of a pair wants to know. */
@NullMarked
package io.sluice.operator.bluegreen.analysis;

import org.jspecify.annotations.NullMarked;
