// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

/** A Deployment of a name that a cluster needs is somebody else's. */
final class Foreign extends RuntimeException {
    private Foreign(String name, String what) {
        super(
                "Deployment '%s' is there already and is %s: delete it, or give one of the two another name"
                        .formatted(name, what));
    }

    static Foreign jobManager(String name) {
        return new Foreign(name, "no Flink cluster's");
    }

    static Foreign taskManagers(String name) {
        return new Foreign(name, "not this cluster's");
    }
}
