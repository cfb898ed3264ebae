// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

/** The namespaces of a siege; all but the system's are served. */
public final class Namespaces {
    static final String SYSTEM = "sluice-system";
    public static final String ORDINARY = "siege-ordinary";
    public static final String HOSTILE = "siege-hostile";

    /** Its rights are taken away. */
    public static final String LOST = "siege-lost";

    public static final String HOSTILE_SESSION = "hostile-session-0";
    static final String SERVED = String.join(",", ORDINARY, HOSTILE, LOST);

    private Namespaces() {}
}
