// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import java.util.function.Supplier;

/**
 * A resource that may ask for autoscaling.
 *
 * @param subject what it asks for, read when called
 */
public record Watched(JobKey key, Supplier<Subject> subject) {}
