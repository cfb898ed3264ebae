// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege;

/** The namespaces of a siege; all but the system's are served. */
final class Namespaces {
    static final String SYSTEM = "sluice-system";
    static final String ORDINARY = "siege-ordinary";
    static final String HOSTILE = "siege-hostile";

    /** Its rights are taken away. */
    static final String LOST = "siege-lost";

    static final String HOSTILE_SESSION = "hostile-session-0";
    static final String SERVED = String.join(",", ORDINARY, HOSTILE, LOST);

    private Namespaces() {}
}
