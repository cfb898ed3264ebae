// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.gitops.ArgoCd;
import io.sluice.operator.gitops.Kstatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What tools that wait for a resource make of its status, whatever the reason in it. */
class GitOpsHealthTest {
    private static final Set<Reason> AS_ASKED =
            EnumSet.of(
                    Reason.JOB_RUNNING,
                    Reason.SAVING_STATE,
                    Reason.SAVING_FAILED,
                    Reason.SCALING_IN_PLACE,
                    Reason.SCALING_UNAVAILABLE,
                    Reason.SESSION_CLUSTER_READY,
                    Reason.SUSPENDED,
                    Reason.JOB_FINISHED);

    private static final Set<Reason> BEING_DELETED =
            EnumSet.of(
                    Reason.DELETING,
                    Reason.DELETED,
                    Reason.REMOVAL_OVERDUE,
                    Reason.SESSION_JOBS_LEFT);

    private static final Set<Reason> IN_NEED_OF_SOMEBODY =
            EnumSet.of(
                    Reason.SPEC_INVALID,
                    Reason.SPEC_REFUSED,
                    Reason.VALIDATION_FAILED,
                    Reason.UPGRADE_SAVEPOINT_FAILED,
                    Reason.IMAGE_NOT_PULLED,
                    Reason.CHECKPOINTS_NOT_RETAINED,
                    Reason.NO_CHECKPOINT,
                    Reason.NO_SAVEPOINT_FOLDER,
                    Reason.STATE_LOST,
                    Reason.STATUS_LOST,
                    Reason.REDEPLOYMENT_REVERTED,
                    Reason.JOB_NOT_FOUND,
                    Reason.UPGRADE_FAILED,
                    Reason.STATE_IN_DOUBT,
                    Reason.RESTORE_FAILED,
                    Reason.CHECKPOINT_NOT_FOUND,
                    Reason.LAST_STATE_UNUSABLE,
                    Reason.POD_PROBLEM,
                    Reason.NO_TASK_MANAGERS,
                    Reason.ANSWER_TOO_LARGE,
                    Reason.JOB_MANAGER_SILENT,
                    Reason.JOB_FAILED,
                    Reason.JOB_CANCELED,
                    Reason.JOB_MANAGER_MISSING,
                    Reason.ROLLED_BACK,
                    Reason.ROLLBACK_UNAVAILABLE,
                    Reason.JOB_UNHEALTHY,
                    Reason.SESSION_CLUSTER_SILENT,
                    Reason.SUBMISSION_REFUSED,
                    Reason.JAR_TOO_LARGE,
                    Reason.JAR_TOO_SLOW,
                    Reason.JAR_REDIRECTS,
                    Reason.JAR_HEADER_TOO_LARGE,
                    Reason.JAR_CACHE_FULL,
                    Reason.MANIFESTS_REFUSED);

    @Test
    void isCurrentWhereTheResourceIsAsAskedAndFailedWhereSomebodyHasToAct() {
        Map<Kstatus, Set<Reason>> reasons =
                EveryReasonTest.SITUATIONS.keySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        reason -> Kstatus.of(resource(reason)),
                                        Collectors.toSet()));

        assertThat(reasons.get(Kstatus.CURRENT)).isEqualTo(AS_ASKED);
        assertThat(reasons.get(Kstatus.FAILED)).isEqualTo(IN_NEED_OF_SOMEBODY);
        assertThat(reasons.get(Kstatus.TERMINATING)).isEqualTo(BEING_DELETED);
    }

    @Test
    void isTheSameInArgoCd() throws IOException {
        ArgoCd argo = ArgoCd.asDocumented();
        Set<Reason> reasons = EnumSet.copyOf(EveryReasonTest.SITUATIONS.keySet());
        reasons.removeAll(BEING_DELETED);

        for (Reason reason : reasons) {
            ObjectNode resource = resource(reason);
            ArgoCd.Health health = argo.health(resource);
            assertThat(health.status())
                    .as(reason.wire())
                    .isEqualTo(
                            switch (Kstatus.of(resource)) {
                                case CURRENT -> "Healthy";
                                case IN_PROGRESS -> "Progressing";
                                case FAILED -> "Degraded";
                                case TERMINATING -> "none, as it is not asked";
                            });
            assertThat(health.message()).startsWith(reason.wire() + ": " + reason.text());
        }
    }

    @Test
    void isInProgressUntilTheOperatorHasSeenTheEdit() throws IOException {
        ArgoCd argo = ArgoCd.asDocumented();
        for (Reason reason : Set.of(Reason.JOB_RUNNING, Reason.SUSPENDED, Reason.JOB_FAILED)) {
            ObjectNode edited = resource(reason);
            edited.withObject("/metadata").put("generation", 99);

            assertThat(Kstatus.of(edited)).isEqualTo(Kstatus.IN_PROGRESS);
            assertThat(argo.health(edited).status()).isEqualTo("Progressing");
        }
    }

    @Test
    void isInProgressInArgoCdBeforeTheFirstReconciliation() throws IOException {
        ArgoCd argo = ArgoCd.asDocumented();
        for (String kind : Set.of("FlinkDeployment", "FlinkSessionJob")) {
            assertThat(argo.health(bare(kind)).status()).isEqualTo("Progressing");
        }
    }

    @Test
    void isHealthyInArgoCdForACanaryWhichHasNoStatus() throws IOException {
        ObjectNode canary = bare("FlinkDeployment");
        canary.withObject("/metadata/labels").put("flink.apache.org/canary", "true");

        assertThat(ArgoCd.asDocumented().health(canary).status()).isEqualTo("Healthy");
    }

    private static ObjectNode resource(Reason reason) {
        Snapshots situation =
                Objects.requireNonNull(EveryReasonTest.SITUATIONS.get(reason), reason.wire());
        var observed = situation.observed();
        ObjectNode resource =
                bare(
                        observed.target() instanceof Target.SessionJob
                                ? "FlinkSessionJob"
                                : "FlinkDeployment");
        ObjectNode metadata = resource.withObject("/metadata");
        metadata.put("generation", observed.identity().generation());
        if (observed.identity().deleting()) {
            metadata.put("deletionTimestamp", observed.now().toString());
        }
        resource.set(
                "status", situation.decide().status().onto(JsonNodeFactory.instance.objectNode()));
        return resource;
    }

    private static ObjectNode bare(String kind) {
        ObjectNode resource = JsonNodeFactory.instance.objectNode().put("kind", kind);
        resource.putObject("metadata").put("generation", 1);
        return resource;
    }
}
