// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

/**
 * A resource as a plugin sees it.
 *
 * @param kind FlinkDeployment, FlinkSessionJob, FlinkStateSnapshot or FlinkBlueGreenDeployment
 * @param json the whole resource
 */
public record Resource(String kind, String namespace, String name, String json) {}
