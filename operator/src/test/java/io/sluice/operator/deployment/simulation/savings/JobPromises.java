// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.savings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.operator.deployment.simulation.habits.Platform;
import io.sluice.operator.deployment.simulation.habits.PlatformValidators;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.deployment.simulation.scaling.ToldScalings;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.apiserver.ApiCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold of a job that runs, of its metadata, and of what users are told of it. */
public final class JobPromises {
    /** A job that has run for so long was there when an operator that tells of it looked. */
    private static final Duration WHILE = Duration.ofMinutes(2);

    /** By then, and after so many looks, the operator has seen that a pod does not run. */
    private static final Duration LONG = Duration.ofMinutes(4);

    private static final int MOST_LOOKS = 12;

    private static final Set<Reason> NOT_THERE =
            EnumSet.of(Reason.JOB_NOT_FOUND, Reason.WAITING_FOR_SUBMISSION);

    /** What is there, and whose doing it is. */
    public interface World {
        /** The FlinkDeployment; empty if there is none. */
        Optional<FlinkDeployment> resource();

        /** The Deployment of its JobManager; empty if there is none. */
        Optional<Deployment> standing();

        SimulatedNode<FlinkProcess> node();

        PodTroubles troubles();

        Platform platform();

        Instant now();

        /** Whether the operator that has asked for a Deployment, by its uid, had given that up. */
        boolean cameLate(String deployment);

        /** Whether an operator has stored that it has seen the run of a line. */
        boolean hasSeen(int line);

        /** Whether another operator had the resource before. */
        boolean isTakenOver();

        /** Whether a process of the operator has gone on after another one had taken over. */
        boolean hasStoodStill();

        /** Whether others than the operator have asked Flink for something. */
        boolean haveOthersActed();

        /** Whether somebody has removed the status since the resource was created. */
        boolean hasLostStatus();

        /** Whether there is an autoscaler, and options change. */
        boolean isScaled();
    }

    private final World world;
    private final StateOracle oracle;
    private final SavedStates saved;
    private final ToldScalings scalings = new ToldScalings();

    /** The process that has run each attempt last, of any resource. */
    private final Map<String, FlinkProcess> attempts = new HashMap<>();

    private int looksWhileDown;

    /** Whether a JobManager has not told, in this look, what jobs it has. */
    private boolean isUnanswered;

    /** The generation of which the operator has said that its image can't be pulled. */
    private long withoutImage = -1;

    public JobPromises(World world, StateOracle oracle, SavedStates saved) {
        this.world = world;
        this.oracle = oracle;
        this.saved = saved;
    }

    /** A new resource. */
    public void begins() {
        scalings.begins();
        withoutImage = -1;
    }

    /** What users were told of changes that took no restart. */
    public ToldScalings scalings() {
        return scalings;
    }

    /** The job that is up, if one is; another value once it has restarted. */
    public Optional<SavedStates.Run> up() {
        return world.node()
                .answering(false)
                .filter(FlinkProcess::tasksUp)
                .map(it -> it.run(world.hasSeen(it.line())));
    }

    /**
     * A Deployment says which attempt it is for: no other one is, once that was seen to run. One
     * whose creation comes late may be, until it is removed.
     */
    public void begun(FlinkProcess process) {
        String uid = process.launch().deployment();
        world.standing()
                .filter(it -> it.getMetadata().getUid().equals(uid))
                .map(it -> it.getMetadata().getAnnotations())
                .map(it -> it.get(ManifestRenderer.ATTEMPT_ANNOTATION))
                .flatMap(attempt -> Optional.ofNullable(attempts.put(attempt, process)))
                .filter(former -> !former.launch().deployment().equals(uid))
                .filter(former -> world.hasSeen(former.line()))
                .filter(_ -> !world.cameLate(uid))
                .ifPresent(_ -> oracle.violated("an attempt runs a second time: " + process));
    }

    /**
     * The operator asks for the end of a job: not for an image that it has called missing, nor for
     * edits that validators do not accept.
     */
    public void ends(FlinkProcess process) {
        FlinkLaunch launch = process.launch();
        if (!process.tasksUp()
                || world.haveOthersActed()
                || world.isTakenOver()
                || world.hasLostStatus()
                || world.hasStoodStill()) {
            return;
        }
        if (oracle.isNewerThan(launch.generation(), process.jobId(), withoutImage)) {
            oracle.violated("a job is ended for an image that is missing: " + launch);
        }
        Collection<ObjectNode> edits = oracle.editsSince(launch.generation(), process.jobId());
        if (!edits.isEmpty()
                && edits.stream().noneMatch(world.platform().validators()::haveAccepted)) {
            oracle.violated("a job is ended for what no validator has accepted: " + launch);
        }
    }

    /** A call of the operator is carried out. */
    public void writes(ApiCall call) {
        String kind = call.type().plural();
        if (call.verb() == ApiCall.Verb.CREATE && kind.equals("deployments")) {
            goesOn("a cluster is created");
        }
        if (call.verb().writes()
                && kind.equals("configmaps")
                && !world.hasStoodStill()
                && !world.isTakenOver()) {
            call.name().filter(it -> it.endsWith("-config-map")).ifPresent(this::touchesMetadata);
        }
    }

    /** What the operator does takes it that nothing of a former cluster runs any more. */
    public void goesOn(String what) {
        boolean isGone =
                world.standing()
                        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                        .isEmpty();
        world.node()
                .processes()
                .filter(FlinkProcess::isLive)
                .filter(_ -> isGone)
                .forEach(it -> oracle.violated(what + " beside a job that runs on: " + it));
    }

    /** The operator changes or deletes a ConfigMap of high availability: not under a job. */
    private void touchesMetadata(String name) {
        Optional<String> uid =
                world.standing()
                        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                        .filter(it -> it.getSpec().getReplicas() > 0)
                        .map(it -> it.getMetadata().getUid());
        world.node()
                .processes()
                .filter(it -> uid.equals(Optional.of(it.launch().deployment())))
                .filter(FlinkProcess::isLive)
                .filter(it -> it.launch().isHighlyAvailable())
                .filter(it -> it.launch().zooKeeperNode().isEmpty())
                .forEach(it -> oracle.violated(name + " is touched, and its job runs: " + it));
    }

    /**
     * The operator has stored what it tells of the resource.
     *
     * @param up the job that was up when it began to look at that, and that it had not stopped
     */
    public void tells(JsonNode status, Optional<SavedStates.Run> up) {
        Optional<Reason> reason = Settling.reason(status);
        up.filter(it -> up().equals(Optional.of(it)))
                .filter(_ -> reason.equals(Optional.of(Reason.JOB_CANCELLING)))
                .filter(_ -> !world.isTakenOver() && !world.isScaled())
                .ifPresent(saved::isToBeCancelled);
        if (!world.isTakenOver()) {
            oracle.tells(status);
            tells(reason);
        }
        withoutImage =
                reason.equals(Optional.of(Reason.IMAGE_NOT_PULLED))
                        ? status.path("observedGeneration").asLong()
                        : withoutImage;
        if (world.troubles().waitForNodes(world.now().minusSeconds(60))
                && reason.equals(Optional.of(Reason.POD_PROBLEM))
                && status.at("/conditions/1/message").asText().contains("Unschedulable")) {
            oracle.violated("a pod that has waited for a minute is called broken: " + status);
        }
    }

    /** A JobManager has not answered what jobs it has. */
    public void unanswered() {
        isUnanswered = true;
    }

    /** A status says why the resource is not ready. */
    private void tells(Optional<Reason> reason) {
        Instant before = world.now().minus(WHILE);
        world.node()
                .processes()
                .filter(_ -> !isUnanswered && reason.filter(NOT_THERE::contains).isPresent())
                .filter(FlinkProcess::isLive)
                .filter(it -> !it.hasBegunAgain() && it.overview().startTime().isBefore(before))
                .filter(it -> oracle.job().equals(Optional.of(it.jobId())))
                .forEach(it -> oracle.violated("a job is not there, by its status: " + it));
    }

    /** A process of the operator has looked at the resource. */
    public void looked() {
        isUnanswered = false;
        scalings.looked()
                .filter(_ -> !world.isTakenOver() && !world.hasLostStatus())
                .ifPresent(oracle::violated);
        looksWhileDown = isLongDown() ? looksWhileDown + 1 : 0;
        if (looksWhileDown > MOST_LOOKS) {
            world.resource()
                    .flatMap(it -> Optional.ofNullable(it.getStatus()))
                    .filter(it -> it.at("/jobStatus/state").asText().equals("RUNNING"))
                    .ifPresent(_ -> oracle.violated("the job is said to run, and is long down"));
        }
    }

    private boolean isLongDown() {
        return world.troubles().holdJobManager(LONG)
                && world.node().processes().noneMatch(FlinkProcess::isLive);
    }

    /**
     * Users are told of the resource.
     *
     * @param before the best state when the operator began to look at that; empty if an edit has
     *     been carried out since
     */
    public void told(List<ResourceEvent> events, Optional<State> before) {
        oracle.told(events);
        scalings.told(events);
        before.filter(_ -> !world.isTakenOver())
                .filter(state -> world.hasSeen(state.line()))
                .ifPresent(state -> oracle.toldOfStart(events, state));
        events.stream()
                .filter(it -> it.of() == OperatorEvent.SPEC_CHANGED)
                .map(ResourceEvent::message)
                .filter(PlatformValidators::isTaken)
                .forEach(it -> oracle.violated("what validators refuse is carried out: " + it));
    }
}
