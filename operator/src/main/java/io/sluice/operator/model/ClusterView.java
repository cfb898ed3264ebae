// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.operator.model.image.ImagePulls;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is there of a cluster in Kubernetes.
 *
 * @param pods how many pods of the cluster exist, JobManager and TaskManagers, terminating ones
 *     included
 * @param problem what keeps a pod from running, in the pod's own words
 * @param remnant what still stands, where the JobManager's Deployment does not
 * @param kills how containers ended that needed too much memory; some of it may be history
 * @param strays a standalone cluster's TaskManagers, where the JobManager's Deployment is gone
 * @param isBroken whether no process of the JobManager can be there, by what its pods say
 * @param owners uids of what the JobManager's Deployment belongs to; empty where a cache was enough
 * @param podFacts what else the pods say while the JobManager's Deployment stands
 */
@RecordBuilder
public record ClusterView(
        JobManagerView jobManager,
        int pods,
        Optional<PodProblem> problem,
        Optional<Remnant> remnant,
        List<Kill> kills,
        Optional<Strays> strays,
        boolean isBroken,
        Set<String> owners,
        PodFacts podFacts)
        implements ClusterViewBuilder.With {
    public static final ClusterView NONE =
            new ClusterView(new JobManagerView.Absent(), 0, Optional.empty());

    public ClusterView {
        kills = List.copyOf(kills);
        owners = Collections.unmodifiableSet(new LinkedHashSet<>(owners));
    }

    /** Without further facts about the pods. */
    public ClusterView(
            JobManagerView jobManager,
            int pods,
            Optional<PodProblem> problem,
            Optional<Remnant> remnant,
            List<Kill> kills,
            Optional<Strays> strays,
            boolean isBroken,
            Set<String> owners) {
        this(jobManager, pods, problem, remnant, kills, strays, isBroken, owners, PodFacts.NONE);
    }

    /** Without TaskManagers that were left alone; a problem is the JobManager's own. */
    public ClusterView(
            JobManagerView jobManager,
            int pods,
            Optional<PodProblem> problem,
            Optional<Remnant> remnant,
            List<Kill> kills) {
        this(
                jobManager,
                pods,
                problem,
                remnant,
                kills,
                Optional.empty(),
                problem.isPresent(),
                Set.of());
    }

    /** Without anything that is worth a word once the Deployment is on its way out. */
    public ClusterView(JobManagerView jobManager, int pods, Optional<PodProblem> problem) {
        this(jobManager, pods, problem, Optional.empty(), List.of());
    }

    /** With a problem of the JobManager's pod. */
    public ClusterView withProblem(PodProblem found) {
        return with().problem(Optional.of(found)).isBroken(true).build();
    }

    /** The JobManager's pod waits for something that may yet come. */
    public ClusterView withDelay(PodProblem found) {
        return withPodFacts(
                podFacts.with().delay(Optional.of(found)).isFirstProcess(false).build());
    }

    /** With the pods that pull images for the resource. */
    public ClusterView withImagePulls(ImagePulls found) {
        return withPodFacts(podFacts.withImagePulls(found));
    }

    /** With one of a cluster whose JobManager is up. */
    public ClusterView withTaskManagersProblem(PodProblem found) {
        return withProblem(Optional.of(found));
    }

    /**
     * Whether nothing of the cluster is left, so that another one can't run beside it, nor find its
     * TaskManagers' Deployment in the place of its own.
     */
    public boolean isGone() {
        return jobManager instanceof JobManagerView.Absent && pods == 0 && strays.isEmpty();
    }

    /** The JobManager's Deployment. */
    public sealed interface JobManagerView {
        record Absent() implements JobManagerView {}

        /**
         * It is being removed, and no edit takes that back.
         *
         * @param next what the removal needs from the operator now; nothing while Kubernetes is at
         *     work, or once the Deployment itself is being deleted
         */
        record Terminating(Optional<Step> next) implements JobManagerView {
            /** It is being deleted. */
            public Terminating() {
                this(Optional.empty());
            }
        }

        /**
         * The removal of a Deployment that was scaled to zero first.
         *
         * @param uid the Deployment's own
         * @param isStopped whether its JobManager is gone, so that the Deployment is to be deleted;
         *     otherwise somebody has scaled it up again
         */
        record Step(String uid, boolean isStopped) {}

        /**
         * @param uid the Deployment's own, so that only what was seen is deleted
         * @param attempt the job id it was made for; empty if another operator made it
         * @param available whether its pod is ready
         * @param everAvailable whether it ever was, as far as the Deployment tells: of two
         *     JobManagers only that both were, so that {@code StepContext#neverRan} asks for more
         */
        record Present(
                String uid, Optional<String> attempt, boolean available, boolean everAvailable)
                implements JobManagerView {
            public Present {
                everAvailable = everAvailable || available;
            }

            /** Tells whether it was made for that attempt, and not by another operator. */
            public boolean isOf(Optional<String> recorded) {
                return attempt.isPresent() && attempt.equals(recorded);
            }
        }
    }

    /**
     * Why a pod does not run.
     *
     * @param reason Kubernetes' own word, for example {@code ImagePullBackOff}
     * @param message the pod, the container and Kubernetes' own message
     */
    public record PodProblem(String reason, String message) implements ResourceEvent.Word {
        private static final String FAILED_MOUNT = "FailedMount";

        /**
         * A volume of {@code pod} can't be mounted.
         *
         * @param message of the kubelet
         */
        public static PodProblem failedMount(String pod, String message) {
            return new PodProblem(FAILED_MOUNT, "pod " + pod + ": " + message);
        }

        /** Tells whether a volume can't be mounted as the kubelet does not find {@code object}. */
        public boolean isMissing(String object) {
            return reason.equals(FAILED_MOUNT) && message.contains('"' + object + '"');
        }

        @Override
        public String wire() {
            return reason;
        }

        public String text() {
            return reason + ": " + message;
        }
    }

    /**
     * What pods say of a cluster whose JobManager's Deployment stands.
     *
     * @param delay what a pod that has not started waits for, as long as it may be expected to come
     *     by itself; not a problem yet
     * @param obstacle what would keep a removal of the cluster from being confirmed
     * @param isFirstProcess whether the JobManager that runs is certainly the first process that
     *     its Deployment has had
     * @param hasNativeTaskManagers whether there are TaskManagers that the JobManager replaces when
     *     they go
     * @param imagePulls pods that are no part of the cluster, and pull the images of its next one
     */
    @RecordBuilder
    public record PodFacts(
            Optional<PodProblem> delay,
            Optional<Remnant> obstacle,
            boolean isFirstProcess,
            boolean hasNativeTaskManagers,
            ImagePulls imagePulls)
            implements ClusterViewPodFactsBuilder.With {
        /** Without a pod that pulls images. */
        public PodFacts(
                Optional<PodProblem> delay,
                Optional<Remnant> obstacle,
                boolean isFirstProcess,
                boolean hasNativeTaskManagers) {
            this(delay, obstacle, isFirstProcess, hasNativeTaskManagers, ImagePulls.NONE);
        }

        public static final PodFacts NONE =
                new PodFacts(Optional.empty(), Optional.empty(), false, false);
    }

    /**
     * A container came to its end as it needed more memory than it may have.
     *
     * @param where the pod and the container, with a colon
     * @param at when it ended
     * @param remedy what can be done about it
     */
    public record Kill(String where, Instant at, String remedy) {}

    /**
     * The Deployment of TaskManagers that nothing takes along, as their JobManager's is gone.
     *
     * @param uid the Deployment's own, so that only what was seen is deleted
     * @param terminating whether it is on its way out
     */
    public record Strays(String uid, boolean terminating) {}

    /**
     * Something of a cluster that still stands.
     *
     * @param text what it is, why it stands and what can be done about it
     * @param overdue whether it was to be gone by now
     */
    public record Remnant(String text, boolean overdue) {}
}
