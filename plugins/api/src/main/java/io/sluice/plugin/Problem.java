// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

/**
 * Why a resource is refused.
 *
 * @param path of the field, for example {@code spec.image}
 * @param message for people: what is wrong with it and what to write instead
 */
public record Problem(String path, String message) {}
