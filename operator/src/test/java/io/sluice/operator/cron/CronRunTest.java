// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How far a run is, by its own status. */
class CronRunTest {
    private static final Instant FIRE = Instant.parse("2026-03-01T01:00:00Z");

    @Test
    void aRunWhoseJobManagerListsNoJobMayYetRunIt() {
        assertThat(run("FAILED", "READY", "RECONCILING").isActive()).isTrue();
        assertThat(run("DEPLOYED", "READY", "RECONCILING").isActive()).isTrue();
    }

    @Test
    void aRunWhoseJobManagerIsGoneHasFailed() {
        assertThat(run("FAILED", "MISSING", "RECONCILING").phase()).isEqualTo(CronRun.Phase.FAILED);
    }

    @Test
    void aRunWhoseJobHasEndedIsOverWhateverItsJobManagerIsLike() {
        assertThat(run("FAILED", "READY", "FAILED").phase()).isEqualTo(CronRun.Phase.FAILED);
        assertThat(run("STABLE", "READY", "FINISHED").phase()).isEqualTo(CronRun.Phase.SUCCEEDED);
    }

    private static CronRun run(String lifecycle, String jobManager, String job) {
        FlinkDeployment template = new FlinkDeployment();
        template.getMetadata().setName("orders");
        template.getMetadata().setNamespace("shop");
        template.getMetadata().setUid("u1");
        template.setSpec(JsonNodeFactory.instance.objectNode());
        FlinkDeployment run = CronRun.manifest(template, "orders-03010100", FIRE);
        run.getMetadata().setUid("u2");
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("lifecycleState", lifecycle).put("jobManagerDeploymentStatus", jobManager);
        status.putObject("jobStatus").put("state", job);
        run.setStatus(status);
        return CronRun.of(run, template).orElseThrow();
    }
}
