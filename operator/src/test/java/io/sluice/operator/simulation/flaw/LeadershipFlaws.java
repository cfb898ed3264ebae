// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation.flaw;

import java.util.EnumSet;
import java.util.Set;

/** What can be wrong with two operators; the simulator has to find each of them. */
public enum LeadershipFlaws {
    /** Writes a status over one that it has not read. */
    STATUS_WITHOUT_VERSION,
    /** Creates a cluster without asking whether that is still what is on record. */
    SUPERSEDED_IS_CREATED,
    /** Releases a session job because a cache that lags says that its cluster is down. */
    RELEASED_BY_A_CACHE;

    public static Set<LeadershipFlaws> none() {
        return EnumSet.noneOf(LeadershipFlaws.class);
    }
}
