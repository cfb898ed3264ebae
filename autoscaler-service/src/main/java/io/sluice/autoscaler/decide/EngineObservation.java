// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Instant;

/**
 * The rate that a vertex was able to process when it was scaled.
 *
 * @param at when that was
 * @param rate records per second if always busy, with this parallelism
 */
public record EngineObservation(Instant at, int parallelism, double rate) {}
