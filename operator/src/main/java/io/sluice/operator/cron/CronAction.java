// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import java.time.Instant;

/** An effect on the runs of a template. Each is idempotent; none waits for its outcome. */
sealed interface CronAction {
    /** Has no effect if the run is there already; the name says which time it stands for. */
    record CreateRun(String name, Instant fire) implements CronAction {}

    /** Deletes the run that was observed and no other; its job is cancelled on the way. */
    record DeleteRun(String name, String uid) implements CronAction {}

    /** Lets the template go: none of its runs is left. */
    record ReleaseTemplate() implements CronAction {}
}
