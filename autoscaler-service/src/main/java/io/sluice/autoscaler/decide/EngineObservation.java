// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

/**
 * What a vertex could do when it was last scaled.
 *
 * @param rate records per second if always busy, with this parallelism
 */
public record EngineObservation(int parallelism, double rate) {}
