// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.operator.cron.CronRun.Phase;
import io.sluice.rules.cron.CronPlan;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the runs that are kept after their end: the newest of each kind, as many as the options
 * say.
 */
final class History {
    private History() {}

    static CronStatusDraft tidied(CronStatusDraft draft, CronPlan plan) {
        CronStatusDraft next = draft;
        for (CronRun run : beyond(draft, Phase.SUCCEEDED, plan.succeeded())) {
            next = next.removing(run);
        }
        for (CronRun run : beyond(draft, Phase.FAILED, plan.failed())) {
            next = next.removing(run);
        }
        return next;
    }

    private static List<CronRun> beyond(CronStatusDraft draft, Phase phase, int kept) {
        return draft.snapshot().runs().stream()
                .filter(run -> run.phase() == phase && !run.deleting())
                .sorted(Comparator.comparing(CronRun::fire).reversed())
                .skip(kept)
                .toList();
    }
}
