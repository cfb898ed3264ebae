// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.scale;

/**
 * A write to the subresource {@code scale} of a FlinkDeployment that changes its number of
 * TaskManagers, by a HorizontalPodAutoscaler or by {@code kubectl scale}.
 *
 * @param namespace of the FlinkDeployment
 * @param name of the FlinkDeployment
 * @param replicas how many TaskManagers are asked for
 */
public record ScaleRequest(String namespace, String name, int replicas) {}
