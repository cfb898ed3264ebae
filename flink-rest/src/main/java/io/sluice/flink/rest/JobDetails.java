// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.util.List;

/** {@code GET /jobs/:id}. */
public record JobDetails(String id, String name, String state, List<JobVertex> vertices) {
    public JobDetails {
        vertices = List.copyOf(vertices);
    }
}
