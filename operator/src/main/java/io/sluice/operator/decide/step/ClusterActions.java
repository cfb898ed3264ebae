// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.AttemptStatus.ReplacedJob;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.RequestOptions;

/** The effects that create, change and remove the cluster of a resource. */
public final class ClusterActions {
    private ClusterActions() {}

    /**
     * The effects that remove the former cluster, or carry its removal on: none while Kubernetes is
     * at work.
     */
    public static Action[] removal(StepContext context) {
        if (!context.target().hasOwnJobManager() || ClusterOwnership.isForeign(context)) {
            return new Action[0];
        }
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present(var uid, _, _, _) ->
                    new Action[] {
                        context.cluster().podFacts().hasNativeTaskManagers()
                                ? new Action.StopJobManager(uid)
                                : new Action.DeleteCluster(uid, propagation(context))
                    };
            case JobManagerView.Terminating(var next) ->
                    next.map(step -> removalStep(context, step)).stream().toArray(Action[]::new);
            case JobManagerView.Absent _ ->
                    context.cluster().strays().filter(left -> !left.terminating()).stream()
                            .map(
                                    left ->
                                            new Action.DeleteTaskManagers(
                                                    left.uid(), propagation(context)))
                            .toArray(Action[]::new);
        };
    }

    private static Action removalStep(StepContext context, JobManagerView.Step next) {
        return next.isStopped()
                ? new Action.DeleteCluster(next.uid(), propagation(context))
                : new Action.StopJobManager(next.uid());
    }

    /** Orphans would keep the job running, so that only the two others can be asked for. */
    private static Action.Propagation propagation(StepContext context) {
        return new Options(context.effective())
                        .get(RequestOptions.DELETION_PROPAGATION)
                        .equalsIgnoreCase(Action.Propagation.BACKGROUND.wire())
                ? Action.Propagation.BACKGROUND
                : Action.Propagation.FOREGROUND;
    }

    /** The effect that makes the attempt real. */
    public static Action create(StepContext context, StartFrom from) {
        return new Action.CreateCluster(plan(context, from));
    }

    /** The effect that gives a standalone cluster that stands the TaskManagers it is to have. */
    public static Action taskManagers(StepContext context) {
        return new Action.ProvideTaskManagers(plan(context, new StartFrom.Nothing()));
    }

    /** The effect that makes the Services of a cluster that stands, where they are missing. */
    public static Action services(StepContext context) {
        return new Action.ProvideServices(plan(context, new StartFrom.Nothing()));
    }

    /**
     * The effect that makes the configuration of the cluster that stands as it was, but for options
     * whose defaults have changed since, and on which no state hangs.
     *
     * @param from what the attempt that stands was started from
     */
    public static Action configuration(StepContext context, StartFrom from) {
        return new Action.ProvideConfiguration(
                plan(context, context.asStarted().configuration(), from));
    }

    /**
     * The effect that has the images pulled that the wanted spec needs.
     *
     * @param pod what the pod is called that pulls them
     */
    public static Action pullImages(StepContext context, String pod) {
        return new Action.PullImages(plan(context, new StartFrom.Nothing()), pod);
    }

    private static ClusterPlan plan(StepContext context, StartFrom from) {
        return plan(context, context.effective(), from);
    }

    private static ClusterPlan plan(
            StepContext context, FlinkConfiguration effective, StartFrom from) {
        var identity = context.observed().identity();
        return new ClusterPlan(
                identity.namespace(),
                identity.name(),
                identity.uid(),
                identity.generation(),
                context.spec(),
                effective,
                context.attempt().orElse(""),
                context.jobId(),
                from,
                context.draft().attempt().replaced().map(ReplacedJob::jobId));
    }
}
