// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the simulated operator must not do, whatever happens, and whether it has. */
final class SimulatedPromises {
    private final World world;
    private final SimulatedConsent consent;
    private final SimulatedSavings savings;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Instant> recordedAt = new HashMap<>();
    private final Map<String, Instant> replacedAt = new HashMap<>();
    private String lastRecorded = "";

    /** Since when the job of the last attempt is being stopped. */
    private Optional<Instant> stoppedAt = Optional.empty();

    /** Whether what is on record may be another's doing. */
    private boolean isTampered;

    private Optional<String> wrong = Optional.empty();

    SimulatedPromises(World world, SimulatedConsent consent, SimulatedSavings savings) {
        this.world = world;
        this.consent = consent;
        this.savings = savings;
    }

    /** What no reconciliation may ever do, once one has done it. */
    Optional<String> wrong() {
        return wrong.or(savings::wrong);
    }

    void broken(String how) {
        wrong = Optional.of(how);
    }

    /** Somebody else has written the status: what was on record may not be any more. */
    void tampered() {
        isTampered = true;
        told.clear();
    }

    boolean isTampered() {
        return isTampered;
    }

    /** What a job threw is told once. */
    void told(List<ResourceEvent> notes) {
        notes.stream()
                .filter(event -> event.reason().equals("JobException"))
                .filter(event -> !told.add(event.key()))
                .forEach(event -> broken("told twice: " + event));
    }

    /** Only what has run may be gone back to. */
    void checkStable(ObjectNode status) {
        Optional<ReconciledSpec> stable =
                Optional.of(status.at("/reconciliationStatus/lastStableSpec").asText())
                        .flatMap(ReconciledSpec::decode)
                        .filter(spec -> Specs.isBad(spec.spec()))
                        .filter(spec -> spec.spec().at("/job/state").asText().equals("running"));
        if (stable.isPresent()) {
            broken("a spec that never ran is taken for stable");
        }
    }

    /** A job that runs is not down, and is told of once. */
    void checkDowntime(ObjectNode before, ObjectNode status) {
        if (!isTampered) {
            SimulatedDowntime.wrong(before, status, world.environment().clock().instant())
                    .ifPresent(this::broken);
        }
    }

    /** {@code status} is stored: its attempt may be begun, and be stopped, from now on. */
    void recorded(ObjectNode status) {
        Instant now = world.environment().clock().instant();
        String attempt = status.at("/attempt/id").asText();
        recordedAt.putIfAbsent(attempt, now);
        if (!attempt.equals(lastRecorded)) {
            replacedAt.putIfAbsent(lastRecorded, now);
            lastRecorded = attempt;
        }
        if (status.at("/reconciliationStatus/lastReconciledSpec")
                .asText()
                .contains("\"state\":\"suspended\"")) {
            replacedAt.putIfAbsent(attempt, now);
        }
        if (status.path("attempt").has("stop") && stoppedAt.isEmpty()) {
            stoppedAt = Optional.of(now);
        }
    }

    /** A cluster is created, whose job nobody has stopped yet. */
    void created() {
        stoppedAt = Optional.empty();
    }

    void checkCancellation(FlinkDeployment resource, String jobId) {
        boolean isLoss =
                world.cluster()
                        .answering()
                        .filter(process -> process.jobId().equals(jobId))
                        .filter(this::isLossOf)
                        .isPresent();
        if (isLoss && isKept(resource)) {
            broken("a running job that makes no checkpoints was cancelled");
        }
    }

    private boolean isLossOf(FlinkProcess process) {
        return process.holdsAllItself(decidedAt(process))
                && !world.cluster().storage().isRenounced(process.attempt());
    }

    /** When its suspension, or another attempt, was first on record; now if none is. */
    private Instant decidedAt(FlinkProcess process) {
        return Optional.ofNullable(replacedAt.get(process.attempt()))
                .orElseGet(world.environment().clock()::instant);
    }

    /** Whether the resource is there still, and its user asks for no other state. */
    private boolean isKept(FlinkDeployment resource) {
        return world.resource()
                .latest()
                .filter(now -> now.uid().equals(resource.getMetadata().getUid()))
                .filter(now -> !now.deleting() && !consent.isToBeRedeployed(now))
                .filter(Specs::isStateful)
                .isPresent();
    }

    /**
     * A job that has ended is started again for a changed spec, or because an option asks. What was
     * reconciled last the last edit may be started after it, and then be of its generation. A
     * restart that was on record before the end is carried out, as one whose stop was, if the job
     * failed: that may be the stop's doing.
     */
    void checkEnd(ClusterPlan plan, String content) {
        Options options = new Options(plan.effective());
        boolean again =
                options.get(LifecycleOptions.RESTART_FAILED)
                        || options.get(LifecycleOptions.ROLLBACK);
        boolean stands = world.cluster().objects().latest().deployment().isPresent();
        world.cluster()
                .former()
                .filter(_ -> !stands && !isTampered)
                .filter(former -> former.generation() == plan.generation())
                .filter(former -> former.content().equals(content))
                .filter(
                        former ->
                                former.at()
                                        .isBefore(
                                                recordedAt.getOrDefault(
                                                        plan.attempt(), Instant.MAX)))
                .filter(
                        former ->
                                !former.end().equals("FAILED")
                                        || !(again
                                                || stoppedAt
                                                        .filter(stop -> !former.at().isBefore(stop))
                                                        .isPresent()))
                .ifPresent(
                        former -> broken("a job that was " + former.end() + " is started again"));
    }

    /**
     * @param found what the operator has observed in this pass
     */
    void checkRemoval(FlinkDeployment resource, String uid, Optional<ObservedState> found) {
        if (!isTampered) {
            savings.beforeRemoval();
            checkCancelled(resource, found);
        }
        Optional<Resource> latest = world.resource().latest();
        boolean isUnwanted =
                latest.isEmpty()
                        || latest.get().deleting()
                        || !latest.get().uid().equals(resource.getMetadata().getUid());
        boolean sparesIt =
                world.cluster().objects().latest().deployment().stream()
                        .filter(
                                deployment ->
                                        deployment.uid().equals(uid)
                                                && !deployment.terminating()
                                                && !deployment.isMarked())
                        .anyMatch(
                                deployment ->
                                        latest.filter(now -> Specs.isWhatRuns(now, deployment))
                                                .filter(_ -> runs())
                                                .isPresent());
        if (!isUnwanted && sparesIt) {
            broken("a cluster that runs what the user wants was removed: " + uid);
        }
        boolean holdsState = world.cluster().process().filter(FlinkProcess::holdsState).isPresent();
        if (!isUnwanted && holdsState && !consent.isToBeRedeployed(latest.orElseThrow())) {
            broken("a cluster was removed before its job's state was safe: " + uid);
        }
        if (world.cluster().answering().filter(this::isLossOf).isPresent() && isKept(resource)) {
            broken("a running job that makes no checkpoints was removed");
        }
    }

    /** A stateless job that was seen to run is cancelled first, unless that has taken too long. */
    private void checkCancelled(FlinkDeployment resource, Optional<ObservedState> found) {
        FlinkDeploymentStatus stored =
                world.resource()
                        .latest()
                        .map(Resource::status)
                        .map(FlinkDeploymentStatus::of)
                        .orElse(FlinkDeploymentStatus.NEW);
        JobStatus job = stored.jobStatus();
        boolean isExempt =
                !isStateless(resource)
                        || stored.reconciliationStatus()
                                .lastReconciledSpec()
                                .flatMap(ReconciledSpec::decode)
                                .filter(spec -> Specs.mode(spec.spec()).equals("stateless"))
                                .isEmpty()
                        || job.state().filter(JobState::isTerminal).isPresent()
                        || job.upgradeSavepointPath().isPresent();
        boolean isPatient =
                job.updateTime()
                        .map(since -> since.plus(CancelBeforeRemoval.LIMIT))
                        .filter(world.environment().clock().instant()::isBefore)
                        .isPresent();
        boolean wasSeen =
                found.stream()
                        .flatMap(it -> Stream.of(it.job(), it.run().former()))
                        .filter(JobView.Seen.class::isInstance)
                        .map(JobView.Seen.class::cast)
                        .anyMatch(
                                seen ->
                                        world.cluster()
                                                .answering()
                                                .filter(FlinkProcess::isUncancelled)
                                                .filter(it -> it.launch().mayLoseState())
                                                .map(FlinkProcess::jobId)
                                                .equals(Optional.of(seen.overview().id())));
        if (!isExempt && isPatient && wasSeen) {
            broken("a stateless job was removed that nobody had cancelled");
        }
    }

    static boolean isStateless(FlinkDeployment resource) {
        return resource.getSpec().at("/job/upgradeMode").asText().equals("stateless");
    }

    /** An ended job's cluster may be removed at any time. */
    private boolean runs() {
        return world.cluster().process().filter(FlinkProcess::hasEnded).isEmpty();
    }

    /** A resource is let go for good. */
    void checkRelease() {
        if (isSomethingLeft()) {
            broken("released while something was left: " + world.describe());
        }
    }

    /** Without a status nobody can tell whose pods are on their way out. */
    private boolean isSomethingLeft() {
        Cluster.Objects objects = world.cluster().objects().latest();
        return isTampered ? objects.deployment().isPresent() : !objects.isEmpty();
    }
}
