// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static io.sluice.operator.deployment.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.JobLog;
import io.sluice.flink.rest.JobException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunMemoryTest {
    private final RunMemory memory = new RunMemory();

    @Test
    void whatWasReadIsReadAgainUntilItIsOnRecord() {
        var thrown =
                new JobException("E", "E: broken", Snapshots.NOW.minusSeconds(1), Optional.empty());
        var read = aRunningDeployment().withExceptions(thrown);

        memory.recorded(read.snapshot(), JobLog.EMPTY);
        assertThat(isNews(read.snapshot())).isTrue();
        memory.recorded(read.snapshot(), read.decide().status().jobStatus().log());
        assertThat(isNews(read.snapshot())).isFalse();
    }

    @Test
    void whatCouldNotBeReadIsNoLook() {
        var unread = aRunningDeployment().snapshot();

        memory.recorded(unread, JobLog.EMPTY);

        assertThat(isNews(unread)).isTrue();
    }

    private boolean isNews(Snapshot seen) {
        var job = (JobView.Seen) seen.job();
        return memory.isNews(seen.identity().uid(), job.overview().lastChange(), seen.now());
    }
}
