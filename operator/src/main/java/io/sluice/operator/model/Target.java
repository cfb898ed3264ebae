// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.flink.rest.JobOverview;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which kind of resource an observed state is about, with what only that kind has. The steps are
 * the same for all kinds; where they differ, they ask the target.
 */
public sealed interface Target {
    /**
     * Whether a JobManager is made for it and removed with it. The one of a session cluster goes on
     * without the session job.
     */
    default boolean hasOwnJobManager() {
        return switch (this) {
            case Application _, SessionCluster _ -> true;
            case SessionJob _ -> false;
        };
    }

    /** Whether its next JobManager goes on from the metadata that Flink left of the same job. */
    default boolean recoversFromMetadata() {
        return switch (this) {
            case Application _, SessionCluster _ -> true;
            case SessionJob _ -> false;
        };
    }

    /** The component that its events name, as those of the Apache operator do. */
    default String component() {
        return switch (this) {
            case Application _, SessionCluster _ -> "JobManagerDeployment";
            case SessionJob _ -> "Job";
        };
    }

    /** A FlinkDeployment with a job: a cluster of its own for it. */
    record Application() implements Target {}

    /**
     * A FlinkDeployment without a job.
     *
     * @param sessionJobs the session jobs that are, or wait to be, on it
     * @param silentSince since when its JobManager has given no answer, as far as this process
     *     knows; empty if it answers
     */
    record SessionCluster(
            List<SessionJobView> sessionJobs, Jobs jobs, Optional<Instant> silentSince)
            implements Target {
        public SessionCluster {
            sessionJobs = List.copyOf(sessionJobs);
        }

        /** The JobManager answers, or has only just stopped to. */
        public SessionCluster(List<SessionJobView> sessionJobs, Jobs jobs) {
            this(sessionJobs, jobs, Optional.empty());
        }
    }

    /** A FlinkSessionJob. */
    record SessionJob(SessionClusterView cluster, SubmissionView submission) implements Target {}

    /**
     * A FlinkSessionJob as its cluster sees it.
     *
     * @param keepsState whether its state has to be taken along
     * @param isSettled whether the end of its job is on record, and with it where its state is; or
     *     that a human has to say
     * @param isEnding whether its job is being stopped, and what comes of that is not on record
     */
    record SessionJobView(
            String name,
            Optional<String> jobId,
            boolean keepsState,
            boolean isSettled,
            boolean isEnding) {
        /** One whose job nobody stops. */
        public SessionJobView(
                String name, Optional<String> jobId, boolean keepsState, boolean isSettled) {
            this(name, jobId, keepsState, isSettled, false);
        }
    }

    /** What a session cluster's JobManager says. */
    sealed interface Jobs {
        /** There was no JobManager to ask. */
        record NotAsked() implements Jobs {}

        /** It did not answer. */
        record Silent(String message, NoAnswer noAnswer) implements Jobs {
            public Silent(String message) {
                this(message, NoAnswer.NO_ANSWER);
            }
        }

        /** All jobs it knows, ended ones included. */
        record Listed(List<JobOverview> jobs) implements Jobs {
            public Listed {
                jobs = List.copyOf(jobs);
            }

            /** When any of them last changed; the epoch if there are none. */
            public Instant lastChange() {
                return jobs.stream()
                        .map(JobOverview::lastChange)
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH);
            }
        }
    }

    /**
     * A session cluster as one of its jobs sees it.
     *
     * @param state as the cluster's own resource reports it
     * @param beingReplaced whether it is about to be replaced, and waits for jobs of its own
     * @param keepsJobs whether those that run come back by themselves once it is replaced
     * @param deleting whether its deletion has begun
     * @param blocking whether its deletion waits for its session jobs
     * @param highlyAvailable whether its jobs come back by themselves after its JobManager was lost
     * @param configuration the cluster's own
     */
    record SessionClusterView(
            String name,
            State state,
            boolean beingReplaced,
            boolean keepsJobs,
            boolean deleting,
            boolean blocking,
            boolean highlyAvailable,
            FlinkConfiguration configuration,
            Optional<FlinkVersion> version) {
        /** How far the cluster is. */
        public enum State {
            /** There is no such resource. */
            MISSING,
            /** It has no JobManager. */
            DOWN,
            /** Its JobManager starts, or is out of reach: nobody knows what runs on it. */
            NOT_READY,
            READY
        }

        /** One whose jobs have to leave before it is replaced. */
        public SessionClusterView(
                String name,
                State state,
                boolean beingReplaced,
                boolean deleting,
                boolean blocking,
                boolean highlyAvailable,
                FlinkConfiguration configuration,
                Optional<FlinkVersion> version) {
            this(
                    name,
                    state,
                    beingReplaced,
                    false,
                    deleting,
                    blocking,
                    highlyAvailable,
                    configuration,
                    version);
        }

        /** There is no such cluster. */
        public static SessionClusterView missing(String name) {
            return new SessionClusterView(
                    name,
                    State.MISSING,
                    false,
                    false,
                    false,
                    false,
                    FlinkConfiguration.EMPTY,
                    Optional.empty());
        }

        public boolean isReady() {
            return state == State.READY;
        }

        /** Whether the deletion of a cluster with these options waits for its session jobs. */
        public static boolean blocksDeletion(Options options) {
            return options.get(LifecycleOptions.BLOCK_ON_SESSION_JOBS);
        }

        /** Whether a cluster with this reason waits to be replaced. */
        public static boolean isHeld(String reason) {
            return reason.equals(Reason.WAITING_FOR_SESSION_JOBS.wire())
                    || reason.equals(Reason.SESSION_CLUSTER_SILENT.wire());
        }

        /** Whether a job may be submitted to it. */
        public boolean takesJobs() {
            return isReady() && !beingReplaced && !deleting;
        }
    }

    /** How far the submission of the recorded attempt is, as far as this process knows. */
    sealed interface SubmissionView {
        /** Whether something was begun whose end is still to come. */
        default boolean isUnderWay() {
            return this instanceof UnderWay || this instanceof Queued;
        }

        /** This process has not begun, or no longer knows. */
        record None() implements SubmissionView {}

        record UnderWay() implements SubmissionView {}

        /**
         * It waits for one of the places that all submissions share.
         *
         * @param message whose places are taken, and which option says how many there are
         */
        record Queued(String message) implements SubmissionView {}

        /** The jar lies with the JobManager. */
        record Uploaded(String jarId) implements SubmissionView {}

        /** The JobManager that was asked to run it had no such jar. */
        record JarLost() implements SubmissionView {}

        /** At {@code at} the JobManager said that it has this job already. */
        record KnownAlready(Instant at) implements SubmissionView {}

        /**
         * There was no jar to run at {@code at}, which says nothing of an earlier request to run.
         *
         * @param failures how often in a row
         */
        record NotUploaded(Reason reason, String message, Instant at, int failures)
                implements SubmissionView {
            private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
            private static final int MOST_DOUBLINGS = 10;

            /** The first failure, for something else than a limit of downloads. */
            public NotUploaded(String message, Instant at) {
                this(Reason.SUBMISSION_REFUSED, message, at, 1);
            }

            public NotUploaded failedAgain(int times) {
                return new NotUploaded(reason, message, at, times);
            }

            /**
             * When it may be tried again: after a pause that grows with each failure.
             *
             * @param first pause
             */
            public Instant again(Duration first) {
                Duration doubled =
                        first.multipliedBy(1L << Math.clamp(failures - 1L, 0, MOST_DOUBLINGS));
                Duration most = first.compareTo(LONGEST_PAUSE) > 0 ? first : LONGEST_PAUSE;
                return at.plus(doubled.compareTo(most) < 0 ? doubled : most);
            }
        }

        /** It was certain at {@code at} that nothing came of it. */
        record Refused(String message, Instant at) implements SubmissionView {}
    }
}
