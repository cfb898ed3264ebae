// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.cluster.Warnings;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Creates a snapshot and follows it. Its name and its path go to the standard output, all else to
 * the error output.
 */
final class SavepointRun {
    private final SnapshotCluster cluster;
    private final Warnings warnings;
    private final PrintWriter out;
    private final PrintWriter err;
    private final InstantSource clock;

    /**
     * @param warnings in the answers to the cluster's client
     */
    SavepointRun(
            SnapshotCluster cluster,
            Warnings warnings,
            PrintWriter out,
            PrintWriter err,
            InstantSource clock) {
        this.cluster = cluster;
        this.warnings = warnings;
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    /**
     * Returns what the command ends with.
     *
     * @param wait how long the snapshot is followed at most; empty if it is not
     * @throws NotCreated if nothing was created
     */
    int run(JobArgument argument, SnapshotRequest request, Optional<Duration> wait) {
        Job job = job(argument);
        Instant began = clock.instant();
        FlinkStateSnapshot snapshot = request.resource(cluster.namespace(), job, began);
        try {
            cluster.create(snapshot);
        } finally {
            warnings.take().forEach(text -> tell("Warning: " + text));
        }
        String name = snapshot.getMetadata().getName();
        out.println("flinksnp/" + name);
        out.flush();
        if (wait.isEmpty()) {
            return Ending.COMPLETED;
        }
        Ending ending = Ending.of(follow(name, wait.get(), began), job, cluster.namespace(), name);
        ending.result().stream().map(SafeText::line).forEach(out::println);
        out.flush();
        ending.told().forEach(this::tell);
        return ending.code();
    }

    private Job job(JobArgument argument) {
        List<Lookup> found =
                argument.kinds().stream().map(kind -> cluster.find(kind, argument.name())).toList();
        return switch (JobChoice.of(argument, found, cluster.namespace())) {
            case JobChoice.Chosen(var job) -> job;
            case JobChoice.Refused(var why) -> throw new NotCreated(why);
            case JobChoice.Missing() ->
                    throw new NotCreated(
                            JobChoice.missing(
                                    argument, cluster.jobs(argument.kinds()), cluster.namespace()));
        };
    }

    private Outcome follow(String name, Duration limit, Instant began) {
        var progress = new Progress(began);
        try {
            return cluster.follow(name, limit, progress::seen);
        } catch (KubernetesClientException failed) {
            return new Outcome.NotFollowed("it can't be followed (" + failed.getMessage() + ")");
        }
    }

    private void tell(String line) {
        err.println(SafeText.line(line));
        err.flush();
    }

    /** Tells each change of the state or of the reason. */
    private final class Progress {
        private final Instant began;
        private Optional<SnapshotView> told = Optional.empty();

        Progress(Instant began) {
            this.began = began;
        }

        void seen(SnapshotView view) {
            boolean isNews = told.filter(former -> !view.isNewsAfter(former)).isEmpty();
            if (view.isObserved() && isNews) {
                told = Optional.of(view);
                long seconds = Duration.between(began, clock.instant()).toSeconds();
                tell("[%d:%02d] %s".formatted(seconds / 60, seconds % 60, view.line()));
            }
        }
    }
}
