// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.time.Instant;

/** One rescale that was published. */
public record Rescale(Instant at, Direction direction) {}
