// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.status.CronStatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a template: first what is remembered is stored, then the actions are performed
 * in order, then the events are recorded.
 *
 * @param detail what the reason's sentence is completed with
 * @param job the word for the job's state
 * @param checkAgain empty if only a change can change anything
 */
record CronDecision(
        Reason reason,
        String detail,
        CronStatus memory,
        String job,
        List<CronAction> actions,
        List<ResourceEvent> notes,
        Optional<Duration> checkAgain) {
    CronDecision {
        actions = List.copyOf(actions);
        notes = List.copyOf(notes);
    }
}
