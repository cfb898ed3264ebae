// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One entry of a job's exception history.
 *
 * @param taskName empty where Flink can't say, as under the adaptive scheduler
 * @param endpoint host and port of the TaskManager
 * @param taskManagerId its id; its pod's name on Kubernetes
 * @param labels what Flink's failure enrichers say of it
 */
public record JobException(
        String name,
        String stackTrace,
        Instant at,
        Optional<String> taskName,
        Optional<String> endpoint,
        Optional<String> taskManagerId,
        Map<String, String> labels) {
    public JobException {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** One of which nothing more is known. */
    public JobException(String name, String stackTrace, Instant at, Optional<String> taskName) {
        this(name, stackTrace, at, taskName, Optional.empty(), Optional.empty(), Map.of());
    }
}
