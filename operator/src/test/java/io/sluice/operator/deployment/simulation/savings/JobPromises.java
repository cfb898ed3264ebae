// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.savings;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.operator.deployment.simulation.habits.PlatformValidators;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.world.DurableStates.State;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** What must hold of a job that runs, of its metadata, and of what users are told of it. */
public final class JobPromises {
    /** A job that has run for so long was there when an operator that tells of it looked. */
    private static final Duration WHILE = Duration.ofMinutes(2);

    private static final Set<Reason> NOT_THERE =
            EnumSet.of(Reason.JOB_NOT_FOUND, Reason.WAITING_FOR_SUBMISSION);

    private final StateOracle oracle;
    private final IntPredicate hasSeen;

    /** The process that has run each attempt last, of any resource. */
    private final Map<String, FlinkProcess> attempts = new HashMap<>();

    /**
     * @param hasSeen whether an operator has stored that it has seen the run of a line
     */
    public JobPromises(StateOracle oracle, IntPredicate hasSeen) {
        this.oracle = oracle;
        this.hasSeen = hasSeen;
    }

    /**
     * A Deployment says which attempt it is for: no other one is, once that was seen to run.
     *
     * @param standing the Deployment that is there now
     */
    public void begun(FlinkProcess process, Optional<Deployment> standing) {
        String uid = process.launch().deployment();
        standing.filter(it -> it.getMetadata().getUid().equals(uid))
                .map(it -> it.getMetadata().getAnnotations())
                .map(it -> it.get(ManifestRenderer.ATTEMPT_ANNOTATION))
                .flatMap(attempt -> Optional.ofNullable(attempts.put(attempt, process)))
                .filter(former -> !former.launch().deployment().equals(uid))
                .filter(former -> hasSeen.test(former.line()))
                .ifPresent(_ -> oracle.violated("an attempt runs a second time: " + process));
    }

    /** The operator changes or deletes a ConfigMap of high availability: not under a job. */
    public void touchesMetadata(
            String name, Optional<Deployment> standing, Stream<FlinkProcess> processes) {
        Optional<String> uid =
                standing.filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                        .filter(it -> it.getSpec().getReplicas() > 0)
                        .map(it -> it.getMetadata().getUid());
        processes
                .filter(it -> uid.equals(Optional.of(it.launch().deployment())))
                .filter(FlinkProcess::isLive)
                .filter(it -> it.launch().isHighlyAvailable())
                .filter(it -> it.launch().zooKeeperNode().isEmpty())
                .forEach(it -> oracle.violated(name + " is touched, and its job runs: " + it));
    }

    /** A status says why the resource is not ready. */
    public void tells(Optional<Reason> reason, Stream<FlinkProcess> processes, Instant now) {
        Instant before = now.minus(WHILE);
        processes
                .filter(_ -> reason.filter(NOT_THERE::contains).isPresent())
                .filter(FlinkProcess::isLive)
                .filter(it -> !it.hasBegunAgain() && it.overview().startTime().isBefore(before))
                .filter(it -> oracle.job().equals(Optional.of(it.jobId())))
                .forEach(it -> oracle.violated("a job is not there, by its status: " + it));
    }

    /**
     * Users are told of the resource.
     *
     * @param before the best state when the operator began to look; empty if it can't be known
     */
    public void told(List<ResourceEvent> events, Optional<State> before) {
        before.filter(state -> hasSeen.test(state.line()))
                .ifPresent(state -> oracle.toldOfStart(events, state));
        events.stream()
                .filter(it -> it.of() == OperatorEvent.SPEC_CHANGED)
                .map(ResourceEvent::message)
                .filter(PlatformValidators::isTaken)
                .forEach(it -> oracle.violated("what validators refuse is carried out: " + it));
    }
}
