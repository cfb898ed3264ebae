// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/**
 * What the subtasks of a vertex say of one metric, those that say nothing left out.
 *
 * @param min the lowest value
 * @param max the highest value
 * @param sum of all values
 */
public record MetricSummary(double min, double max, double sum) {}
