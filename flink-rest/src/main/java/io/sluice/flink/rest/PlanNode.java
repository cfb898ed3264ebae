// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/**
 * A vertex of {@code GET /jobs/:id/plan}.
 *
 * @param id of the vertex
 * @param isSource whether no other vertex of the job sends it records
 */
public record PlanNode(String id, boolean isSource) {}
