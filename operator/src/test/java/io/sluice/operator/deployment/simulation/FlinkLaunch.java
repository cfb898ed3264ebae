// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.operator.deployment.simulation.scaling.JobVertices;
import io.sluice.operator.world.DurableStates.State;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a JobManager's container is started with, as the operator has rendered it.
 *
 * @param cluster the name of the Deployment
 * @param deployment its uid
 * @param generation of the resource that it was made for
 * @param version of the Flink in the container's image
 * @param options of Flink's configuration file, with what the command line says on top
 * @param history of the processes of this Deployment
 */
public record FlinkLaunch(
        String cluster,
        String deployment,
        long generation,
        String version,
        Map<String, String> options,
        History history) {
    static final String PATH = "execution.state-recovery.path";
    static final String IGNORES_UNCLAIMED = "execution.state-recovery.ignore-unclaimed-state";
    static final String HIGH_AVAILABILITY = "high-availability.type";
    static final String ZOOKEEPER = "zookeeper";
    static final String ARGUMENTS = "$internal.application.program-args";

    public FlinkLaunch {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** What the processes of one Deployment have done, one after the other. */
    public static final class History {
        /** Of all its runs. */
        private final LinkedHashSet<Integer> lines = new LinkedHashSet<>();

        private Optional<String> end = Optional.empty();
        private boolean isCancelled;
        private boolean isOthers;
        private boolean isDone;
        private boolean isMetadataLost;
        private Optional<State> newest = Optional.empty();
        private Optional<JobVertices> vertices = Optional.empty();

        boolean isFirst() {
            return lines.isEmpty();
        }

        /** Whether runs were begun, and none of them is one of those. */
        boolean hasOnlyRuns(Predicate<Integer> others) {
            return !isFirst() && lines.stream().noneMatch(others);
        }

        /** The run that was begun last. */
        Optional<Integer> line() {
            return isFirst() ? Optional.empty() : Optional.of(lines.getLast());
        }

        /**
         * A run begins.
         *
         * @param isStray whether it is without what the runs before have written, which counts on
         */
        void began(State from, boolean isStray) {
            lines.add(from.line());
            newest = newest.filter(_ -> isStray).or(() -> Optional.of(from));
        }

        /** The vertices of the job of a process: the metadata of high availability keep them. */
        JobVertices vertices(FlinkLaunch launch) {
            vertices =
                    vertices.filter(_ -> launch.isHighlyAvailable())
                            .or(() -> Optional.of(launch.vertices()));
            return vertices.orElseThrow();
        }

        void wrote(State state) {
            newest = Optional.of(state);
        }

        /** The operator asks for the end of the job, which need not come by that. */
        void cancelled() {
            isCancelled = true;
        }

        /** The job has come to its end by itself, and not by a failure. */
        void isDone() {
            isDone = true;
        }

        /** Somebody deletes its metadata of high availability. */
        void losesMetadata() {
            isMetadataLost = true;
        }

        boolean hasLostMetadata() {
            return isMetadataLost;
        }

        /** Somebody else asks for the end of the job. */
        void endedByOthers() {
            isOthers = true;
        }

        /** Whether somebody else has asked for the end that the job has come to. */
        boolean isEndedByOthers() {
            return isOthers && end.isPresent();
        }

        void ended(String how) {
            end = Optional.of(how);
        }

        /** Whether the last job ended like that, and by itself. */
        boolean endedItself(String how) {
            return end.equals(Optional.of(how)) && !isCancelled;
        }

        /** Whether a job that had ended runs again, or one begins without what it has written. */
        boolean isStrayAfter(Optional<State> from) {
            return !isFirst()
                    && (end.isPresent()
                            || newest.filter(state -> from.filter(it -> it.holds(state)).isEmpty())
                                    .filter(state -> state.position() > 0)
                                    .isPresent());
        }
    }

    /** Whether it is to run a job once more that was done, and that nobody has edited since. */
    boolean isAgain(FlinkLaunch former) {
        return history.isFirst()
                && former.history().isDone
                && former.generation() == generation
                && !former.deployment().equals(deployment);
    }

    private Optional<String> option(String... keys) {
        for (String key : keys) {
            if (options.containsKey(key)) {
                return Optional.of(options.get(key));
            }
        }
        return Optional.empty();
    }

    String jobId() {
        return option("$internal.pipeline.job-id").orElse("");
    }

    /** What tells one spec from another. */
    String content() {
        return option(ARGUMENTS).orElse("");
    }

    boolean isBad() {
        return content().contains("bad");
    }

    Optional<String> path() {
        return option(PATH, "execution.savepoint.path");
    }

    /** Whether it is a Flink 2, which keeps jobs under another name. */
    boolean isNewer() {
        return !version.startsWith("1.");
    }

    int parallelism() {
        return option("parallelism.default").map(Integer::parseInt).orElse(1);
    }

    /** Whether the job is as parallel as there are TaskManagers. */
    boolean isReactive() {
        return option("scheduler-mode").filter("reactive"::equals).isPresent();
    }

    /** Whether the adaptive scheduler runs the job, on the slots that there are. */
    boolean isAdaptive() {
        return isReactive()
                || option("jobmanager.scheduler").filter("adaptive"::equals).isPresent();
    }

    /** Its vertices, as parallel as it is submitted. */
    JobVertices vertices() {
        return new JobVertices(
                isReactive()
                        ? JobVertices.Scheduler.REACTIVE
                        : isAdaptive()
                                ? JobVertices.Scheduler.ADAPTIVE
                                : JobVertices.Scheduler.DEFAULT,
                parallelism(),
                overrides());
    }

    /** How parallel single vertices are to be. */
    ParallelismOverrides overrides() {
        return ParallelismOverrides.of(option(ParallelismOverrides.KEY).orElse(""));
    }

    /**
     * Whether no operator has seen a run before, of which nobody can tell any more. They count as
     * if they had never been, as with session jobs: ADR 12.
     */
    boolean isUnseen(Predicate<Integer> hasSeen) {
        return !isHighlyAvailable() && history.hasOnlyRuns(hasSeen);
    }

    public boolean isHighlyAvailable() {
        return option(HIGH_AVAILABILITY, "high-availability")
                .filter(type -> type.contains("kubernetes") || type.equals(ZOOKEEPER))
                .isPresent();
    }

    /** Below which node of ZooKeeper its metadata are; empty if they are not there. */
    public Optional<String> zooKeeperNode() {
        return option(HIGH_AVAILABILITY)
                .filter(ZOOKEEPER::equals)
                .map(_ -> option("high-availability.cluster-id").orElse(cluster));
    }

    /** Where the result of the job is kept once it has ended; empty if it is not. */
    Optional<String> resultPath() {
        boolean isKept =
                option("job-result-store.delete-on-commit").filter("false"::equals).isPresent();
        return option("job-result-store.storage-path")
                .or(() -> Optional.of("default/" + cluster))
                .filter(_ -> isKept && isHighlyAvailable())
                .map(folder -> folder + "/" + jobId());
    }

    /** Whether the JobManager stays once its job has ended. */
    boolean staysAfterTheEnd() {
        return option("execution.shutdown-on-application-finish")
                .filter("false"::equals)
                .isPresent();
    }

    boolean hasCheckpoints() {
        return option("execution.checkpointing.interval").isPresent();
    }

    boolean retainsCheckpoints() {
        return option("execution.checkpointing.externalized-checkpoint-retention")
                .filter("RETAIN_ON_CANCELLATION"::equals)
                .isPresent();
    }

    int retained() {
        return option("execution.checkpointing.num-retained", "state.checkpoints.num-retained")
                .map(Integer::parseInt)
                .orElse(1);
    }

    Optional<String> savepointFolder() {
        return option("execution.checkpointing.savepoint-dir", "state.savepoints.dir");
    }

    @Override
    public String toString() {
        return "job %s of generation %d %s x%d on Flink %s"
                .formatted(jobId(), generation, content(), parallelism(), version);
    }
}
