// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.util.EnumSet;
import java.util.Set;

/** What can be wrong with an operator of session jobs; the simulator has to find each of them. */
enum SessionFlaws {
    /** Does not record that a job was asked for, and so begins another one beside it. */
    JAR_NOT_RECORDED,
    /** Begins the next job without having recorded what the former one leaves. */
    PATH_NOT_RECORDED,
    /** Takes a JobManager that does not answer for one that has lost the job. */
    UNREACHABLE_IS_GONE,
    /** Takes what was cached before a job's end for its last state. */
    CHECKPOINTS_FROM_A_CACHE;

    static Set<SessionFlaws> none() {
        return EnumSet.noneOf(SessionFlaws.class);
    }
}
