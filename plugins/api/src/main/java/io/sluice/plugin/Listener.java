// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

/** Is told what the operator did. A fault is logged and changes nothing. */
public interface Listener extends Plugin {
    /**
     * The operator stored another status.
     *
     * @param resource with the new status
     * @param reason the condition's reason, for example {@code JobRunning}
     */
    void statusChanged(Resource resource, String reason);
}
