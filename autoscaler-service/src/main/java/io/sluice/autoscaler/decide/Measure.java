// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

/**
 * One evaluated metric. Not every metric has both; the other is NaN. A rate nobody could measure is
 * infinite.
 */
public record Measure(double current, double average) {
    /** The average over the window where there is one. */
    public double value() {
        return Double.isNaN(average) ? current : average;
    }
}
