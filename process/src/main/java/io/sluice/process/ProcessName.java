// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

/** The three processes of an installation. */
public enum ProcessName {
    WEBHOOK("webhook"),
    OPERATOR("operator"),
    AUTOSCALER("autoscaler");

    private final String wire;

    ProcessName(String wire) {
        this.wire = wire;
    }

    /** The word in labels and in the names of Deployments. */
    public String wire() {
        return wire;
    }
}
