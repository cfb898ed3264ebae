// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/**
 * {@code GET /config}.
 *
 * @param flinkVersion for example {@code 1.20.5}
 * @param flinkRevision the commit Flink was built from
 */
public record ClusterConfig(String flinkVersion, String flinkRevision) {}
