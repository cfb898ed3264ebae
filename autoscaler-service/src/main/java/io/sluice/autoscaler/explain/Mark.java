// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import java.time.Instant;

/** A decision on the time line: what it was, in a word, and why. */
public record Mark(Instant at, String outcome, String why) {}
