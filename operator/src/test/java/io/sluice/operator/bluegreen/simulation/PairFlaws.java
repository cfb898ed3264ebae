// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What can be wrong with an operator of pairs; the simulator has to find each of them. */
enum PairFlaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** Writes a status over one that it has not read. */
    STATUS_WITHOUT_VERSION,
    /** Takes a half that is being started for one that runs. */
    WORKING_IS_STEADY,
    /** Gives an aborted half the next spec, instead of making it anew. */
    ABORTED_HALF_RESUMED,
    /** Asks for each savepoint under the same name. */
    TRIGGER_REUSED,
    /** Gives an edit to the transition that makes its savepoint, instead of beginning again. */
    EDIT_JOINS_TRANSITION,
    /** Makes the other half without the path of the savepoint. */
    SAVEPOINT_DROPPED,
    /** Takes a FlinkDeployment of somebody else for a half. */
    FOREIGN_IS_OURS,
    /** Takes a half that could not be read for one that is not there. */
    UNREAD_IS_ABSENT,
    /** Takes the active half for stopped as soon as it is to stop. */
    STOP_NOT_AWAITED,
    /** Takes the other half for gone as soon as it is to go. */
    END_NOT_AWAITED,
    /** Begins whatever the quota of the namespace leaves. */
    QUOTA_IGNORED,
    /** Suspends the active half if it takes long to come up with another spec. */
    IN_PLACE_ABORTED,
    /** Creates no FlinkStateSnapshot of a savepoint. */
    NEVER_REGISTERED,
    /** Gives the FlinkStateSnapshot of a savepoint a new name in each try. */
    NAMED_BY_THE_CLOCK,
    /** Leaves a savepoint that is being made to itself when the spec is edited. */
    SAVEPOINT_LEFT_BEHIND,
    /** Disposes of what only the status of the pair names. */
    PAIR_NEEDS_NOTHING,
    /** Tells of what it has done when all of that is done. */
    EVENTS_LAST,
    /** Promotes a half as soon as it runs. */
    ANALYSIS_LEFT_OUT,
    /** Takes no restart of a half for one. */
    RESTARTS_OVERLOOKED;

    static Set<PairFlaws> none() {
        return EnumSet.noneOf(PairFlaws.class);
    }
}
