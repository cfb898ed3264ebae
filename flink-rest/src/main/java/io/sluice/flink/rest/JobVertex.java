// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** One vertex of a job's graph as it runs now. */
public record JobVertex(
        String id, String name, int parallelism, int maxParallelism, String state) {}
