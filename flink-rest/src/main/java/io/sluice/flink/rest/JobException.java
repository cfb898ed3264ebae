// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Optional;

/** One entry of a job's exception history. */
public record JobException(String name, String stackTrace, Instant at, Optional<String> taskName) {}
