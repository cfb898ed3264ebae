// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

/** What is created by the hundred. */
enum Kind {
    APPLICATIONS("deployment.yaml"),
    SESSION_CLUSTERS("session.yaml");

    private final String file;

    Kind(String file) {
        this.file = file;
    }

    /** The model of all of them, beside this class. */
    String file() {
        return file;
    }
}
