// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

import java.util.Map;

/**
 * What every plugin is. One object is made of each, by its public constructor without parameters;
 * it is called by many threads at once.
 */
public interface Plugin {
    /**
     * Called once, before anything else.
     *
     * @param options the entries {@code kubernetes.operator.plugins.<folder>.<key>} of the
     *     configuration, by their keys; the folder is the plugin's
     */
    default void configure(Map<String, String> options) {}
}
