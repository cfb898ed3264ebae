// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

/** What happened to a job since this process first saw it. */
public record Counts(long scalings, long errors, long balanced) {}
