// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.ImageSources;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.image.ImagePulls;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Before what runs is stopped for another image, a pod pulls the image. What the kubelet says of it
 * decides; that there is no answer never keeps a change from being carried out.
 *
 * <pre>
 *   image differs, and something runs ─▶ pod is there?
 *       ├── no ─▶ given up? ── yes ─▶ the change goes on
 *       │            └── no ─▶ created, the change is held
 *       ├── no node, or no word of the kubelet: held for a time, then the change goes on,
 *       │     unless the kubelet has said before that it can't pull the image
 *       ├── not pulled ─▶ held, until the kubelet has it or the spec is edited
 *       └── pulled ─▶ the change goes on
 * </pre>
 *
 * The pod itself is the record: it stays until the change is carried out or is none any more.
 */
public final class ImagePull {
    /** A scheduler that works places a pod within milliseconds if there is a node for it. */
    static final Duration UNSCHEDULED = Duration.ofSeconds(10);

    /** How long the kubelet may say nothing: large images take minutes. */
    static final Duration SILENT = Duration.ofMinutes(10);

    /** A pod that is deleted at once is only kept longer by somebody's finalizer. */
    static final Duration ENDING = Duration.ofMinutes(1);

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private ImagePull() {}

    /** Holds the change as long as its image is not pulled; empty if nothing is in its way. */
    public static Optional<StepResult.Held> hold(SpecChange change) {
        if (!isWanted(change)) {
            return Optional.empty();
        }
        String name = name(change);
        ImagePulls pulls = change.observed().cluster().podFacts().imagePulls();
        Optional<PullPod> pod = pulls.named(name);
        if (pod.isPresent()) {
            return byPod(change, pod.get());
        }
        boolean asks =
                saidBefore(change).isPresent()
                        || (!pulls.isGivenUp(name) && runs(change.context()));
        return asks
                ? Optional.of(
                        waiting(change, Duration.ZERO)
                                .acting(ClusterActions.pullImages(change.context(), name)))
                : Optional.empty();
    }

    /**
     * The decision, with the deletion of the pods that pull for a change which is carried out by
     * it, or is none any more.
     */
    public static Decision withoutNeedlessPods(ObservedState observed, Decision decision) {
        List<PullPod> pods = observed.cluster().podFacts().imagePulls().pods();
        if (pods.isEmpty()) {
            return decision;
        }
        Optional<String> needed =
                isCarriedOut(observed, decision) ? Optional.empty() : needed(observed);
        Stream<Action> deletions =
                pods.stream()
                        .filter(pod -> !needed.equals(Optional.of(pod.name())))
                        .filter(pod -> !(pod.answer() instanceof Answer.Ending))
                        .map(ImagePull::deletion);
        return decision.withActions(Stream.concat(decision.actions().stream(), deletions).toList());
    }

    private static boolean isCarriedOut(ObservedState observed, Decision decision) {
        AttemptStatus next = decision.status().attempt();
        return next.stop().filter(StopStatus::isUnderWay).isPresent()
                || !next.id().equals(observed.status().attempt().id());
    }

    private static Optional<String> needed(ObservedState observed) {
        return observed.spec() instanceof SpecView.Valid(var spec, var raw)
                        && !observed.identity().deleting()
                ? observed.lastReconciled()
                        .map(before -> SpecChange.of(observed, before, spec, raw))
                        .filter(ImagePull::isWanted)
                        .map(ImagePull::name)
                : Optional.empty();
    }

    private static Optional<StepResult.Held> byPod(SpecChange change, PullPod pod) {
        return switch (pod.answer()) {
            case Answer.Pulled _ -> Optional.empty();
            case Answer.NotPulled answer -> Optional.of(notPulled(change, pod, answer));
            case Answer.Unscheduled(var since) -> within(change, since, UNSCHEDULED);
            case Answer.Pulling(var since) -> within(change, since, SILENT);
            case Answer.Ending(var since) ->
                    within(change, since, ENDING).map(held -> held.acting(deletion(pod)));
            case Answer.Lost _ -> Optional.of(waiting(change, Duration.ZERO).acting(deletion(pod)));
        };
    }

    private static Action deletion(PullPod pod) {
        return new Action.DeletePullPod(pod.name(), pod.uid());
    }

    private static Optional<StepResult.Held> within(
            SpecChange change, Instant since, Duration longest) {
        Duration left = Duration.between(change.observed().now(), since.plus(longest));
        return left.isPositive() || saidBefore(change).isPresent()
                ? Optional.of(waiting(change, left))
                : Optional.empty();
    }

    /**
     * What the kubelet has said of an image of this generation that it could not pull, as the
     * status has it. From then on no silence ends the wait: a kubelet that restarts says nothing
     * for a moment, and a pod may have to be created again.
     */
    private static Optional<String> saidBefore(SpecChange change) {
        ObservedState observed = change.observed();
        return observed.status()
                .condition("Ready")
                .filter(ready -> ready.reason().equals(Reason.IMAGE_NOT_PULLED.wire()))
                .filter(
                        _ ->
                                observed.status()
                                        .observedGeneration()
                                        .equals(Optional.of(observed.identity().generation())))
                .map(ready -> ready.message().replace(Reason.IMAGE_NOT_PULLED.text(), "").strip());
    }

    private static StepResult.Held waiting(SpecChange change, Duration left) {
        return saidBefore(change)
                .map(
                        said ->
                                HeldChange.askHumanWithFormerSpec(
                                        change.observed(),
                                        change.before(),
                                        Reason.IMAGE_NOT_PULLED,
                                        said))
                .orElseGet(() -> pulling(change, left));
    }

    /**
     * @param left after which there is something new to decide; not positive if that is soon
     */
    private static StepResult.Held pulling(SpecChange change, Duration left) {
        Duration soon = change.context().soon();
        Duration next = left.isPositive() && left.compareTo(soon) < 0 ? left : soon;
        return HeldChange.waitWithFormerSpec(
                        change.observed(),
                        change.before(),
                        Reason.PULLING_IMAGE,
                        "Image: " + String.join(", ", sources(change.context()).images()))
                .after(next.compareTo(SHORTEST) < 0 ? SHORTEST : next);
    }

    private static StepResult.Held notPulled(
            SpecChange change, PullPod pod, Answer.NotPulled answer) {
        return HeldChange.askHumanWithFormerSpec(
                change.observed(),
                change.before(),
                Reason.IMAGE_NOT_PULLED,
                "%s of %s: %s (to try again at once, delete the pod %s)"
                        .formatted(answer.reason(), answer.image(), answer.message(), pod.name()));
    }

    private static String name(SpecChange change) {
        return AttemptIds.imagePull(
                change.observed().identity(),
                change.context().attempt().orElse(""),
                sources(change.context()));
    }

    /** Whether the change would replace what runs by what needs another image. */
    private static boolean isWanted(SpecChange change) {
        StepContext context = change.context();
        return change.restarts()
                && context.target().hasOwnJobManager()
                && context.isDesiredRunning()
                && (!context.isUpgrading() || isOfAttempt(context))
                && !context.wasSuspended()
                && !isStopAskedFor(context)
                && !JobFacts.hasEnded(context)
                && new Options(context.effective()).get(LifecycleOptions.PULL_IMAGE_FIRST)
                && !sources(context).equals(sources(change.former()));
    }

    /** Whether the attempt on record has come about, which may be yet to be recorded. */
    private static boolean isOfAttempt(StepContext context) {
        return context.cluster().jobManager() instanceof JobManagerView.Present(_, var made, _, _)
                && made.isPresent()
                && made.equals(context.attempt());
    }

    private static ImageSources sources(StepContext context) {
        return ImageSources.of(context.spec(), context.effective());
    }

    /** Whether the pull is over: the job was asked to stop for the change, be it in vain. */
    private static boolean isStopAskedFor(StepContext context) {
        long generation = context.observed().identity().generation();
        return context.draft()
                .attempt()
                .stop()
                .filter(stop -> stop.isUnderWay() || stop.generation() == generation)
                .isPresent();
    }

    /**
     * Whether there is something to lose: a job that runs, or has run with its spec and is being
     * restarted by Flink, or a session cluster, which need have no job to be of use. Where the pod
     * exists, this is not asked again: a job that is out of reach for a moment is not given up.
     */
    private static boolean runs(StepContext context) {
        return switch (context.target()) {
            case Target.Application _ ->
                    context.observed().job() instanceof JobView.Seen seen
                            && (seen.isUp()
                                    || (seen.isUncancelled()
                                            && context.draft().reconciliation().isStable()));
            case Target.SessionCluster(_, var jobs, _) -> jobs instanceof Target.Jobs.Listed;
            case Target.SessionJob _ -> false;
        };
    }
}
