// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.UpgradeMode;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.manifest.ClusterPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the steps of one decision share: the snapshot, the spec that is to be carried out, and the
 * draft as the steps before left it. Steps hand it on changed; nothing in it is mutable.
 *
 * @param wanted the spec to carry out: the current one, or the one taken up before if the current
 *     can't be
 */
record Pass(
        Snapshot snapshot,
        ReconciledSpec wanted,
        FlinkDeploymentSpec spec,
        Draft draft,
        List<Note> notes) {
    Pass {
        notes = List.copyOf(notes);
    }

    Pass with(Draft next) {
        return new Pass(snapshot, wanted, spec, next, notes);
    }

    Pass telling(Note note) {
        List<Note> more = new ArrayList<>(notes);
        more.add(note);
        return new Pass(snapshot, wanted, spec, draft, more);
    }

    /** The job's state as last seen, told as an event when it is news. */
    Pass seeing(JobState state) {
        Optional<JobState> before = draft.job().state();
        if (before.equals(Optional.of(state))) {
            return this;
        }
        String from = before.map(known -> known.wire() + " to ").orElse("");
        return with(draft.with(state, snapshot.now()))
                .telling(
                        Note.normal(
                                "Job",
                                "JobStatusChanged",
                                jobId() + "/" + state.wire(),
                                "Job status changed from " + from + state.wire()));
    }

    /** What the wanted spec runs with. */
    FlinkConfiguration effective() {
        return snapshot.defaults()
                .effective(
                        snapshot.identity().namespace(),
                        spec.flinkVersion(),
                        spec.flinkConfiguration());
    }

    boolean isDesiredRunning() {
        return spec.job().map(JobSpec::state).orElse(DesiredJobState.RUNNING)
                == DesiredJobState.RUNNING;
    }

    boolean isStateless() {
        return spec.job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                == UpgradeMode.STATELESS;
    }

    boolean isUpgrading() {
        return draft.reconciliation().state() == ReconciliationState.UPGRADING;
    }

    String jobId() {
        return draft.job().jobId().orElse("");
    }

    ClusterView cluster() {
        return snapshot.cluster();
    }

    Duration soon() {
        return snapshot.polls().progress();
    }

    /** Takes {@code wanted} up as a new attempt with a job id of its own. */
    Pass beginning() {
        String jobId =
                Attempt.jobId(
                        snapshot.identity().uid(),
                        snapshot.identity().generation(),
                        snapshot.status().jobStatus().jobId());
        return with(draft.beginning(wanted, jobId, snapshot.now()));
    }

    /**
     * The effects that remove the former cluster: none if its Deployment is on its way out already.
     */
    Action[] removal() {
        return cluster().jobManager() instanceof JobManagerView.Present(var uid, _, _, _)
                ? new Action[] {new Action.DeleteCluster(uid)}
                : new Action[0];
    }

    /** The effect that makes the attempt real. */
    Action creation() {
        var identity = snapshot.identity();
        Optional<String> savepoint =
                wanted.firstDeployment()
                        ? spec.job().flatMap(JobSpec::initialSavepointPath)
                        : Optional.empty();
        return new Action.CreateCluster(
                new ClusterPlan(
                        identity.namespace(),
                        identity.name(),
                        identity.uid(),
                        identity.generation(),
                        spec,
                        effective(),
                        jobId(),
                        savepoint,
                        snapshot.overrides()));
    }

    Decision decided(
            Reason reason, String detail, Optional<Duration> checkAgain, Action... actions) {
        return new Decision(
                reason,
                detail,
                Report.status(this, reason, detail),
                List.of(actions),
                notes,
                checkAgain);
    }

    Decision decided(Reason reason, Duration checkAgain, Action... actions) {
        return decided(reason, "", Optional.of(checkAgain), actions);
    }
}
