// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.KindWords;
import java.util.List;
import java.util.stream.Collectors;

/** Which job is meant, of what was found under its name. Pure. */
sealed interface JobChoice {
    /** How many jobs are named where the one on the command line does not exist. */
    int MOST_NAMES = 20;

    /** This one. */
    record Chosen(Job job) implements JobChoice {}

    /** There is no such job. */
    record Missing() implements JobChoice {}

    /**
     * None of what was found.
     *
     * @param why also says what to do
     */
    record Refused(String why) implements JobChoice {}

    /**
     * @param found what there is of each of {@link JobArgument#kinds}
     * @param namespace that was looked into
     */
    static JobChoice of(JobArgument argument, List<Lookup> found, String namespace) {
        List<Job> jobs =
                found.stream()
                        .filter(Lookup.Found.class::isInstance)
                        .map(each -> ((Lookup.Found) each).job())
                        .toList();
        if (jobs.size() == 1) {
            return new Chosen(jobs.getFirst());
        }
        if (jobs.size() > 1) {
            return new Refused(
                    "JOB: in namespace '"
                            + namespace
                            + "' a FlinkDeployment and a FlinkSessionJob are named '"
                            + argument.name()
                            + "'; write "
                            + jobs.stream().map(Job::argument).collect(Collectors.joining(" or ")));
        }
        if (found.contains(new Lookup.SessionCluster())) {
            return new Refused(
                    "JOB: FlinkDeployment '"
                            + argument.name()
                            + "' in namespace '"
                            + namespace
                            + "' is a session cluster; name one of its session jobs, as kubectl get"
                            + " flinksessionjobs -n "
                            + namespace
                            + " shows them");
        }
        return found.stream()
                .filter(Lookup.Hidden.class::isInstance)
                .map(each -> hidden(argument, ((Lookup.Hidden) each).kind(), namespace))
                .findFirst()
                .orElseGet(Missing::new);
    }

    /** A named kind is enough: whether there is such a job, admission says. */
    private static JobChoice hidden(JobArgument argument, ResourceKind kind, String namespace) {
        return argument.kind()
                .<JobChoice>map(named -> new Chosen(Job.named(named, argument.name())))
                .orElseGet(
                        () ->
                                new Refused(
                                        "JOB: whether '"
                                                + argument.name()
                                                + "' is a FlinkDeployment or a FlinkSessionJob is"
                                                + " not known, as you have no right to get "
                                                + kind.crd()
                                                + " in namespace '"
                                                + namespace
                                                + "'; write "
                                                + KindWords.argument(
                                                        ResourceKind.FLINK_DEPLOYMENT,
                                                        argument.name())
                                                + " or "
                                                + KindWords.argument(
                                                        ResourceKind.FLINK_SESSION_JOB,
                                                        argument.name())));
    }

    /**
     * Why nothing was created for a job that is {@link Missing}.
     *
     * @param jobs those of the namespace
     */
    static String missing(JobArgument argument, Jobs jobs, String namespace) {
        String kinds =
                argument.kinds().stream()
                        .map(ResourceKind::wire)
                        .collect(Collectors.joining(" or "));
        String where = "in namespace '" + namespace + "'";
        return "JOB: there is no "
                + kinds
                + " '"
                + argument.name()
                + "' "
                + where
                + "; "
                + switch (jobs) {
                    case Jobs.Unserved() ->
                            "the cluster has no "
                                    + ResourceKind.FLINK_DEPLOYMENT.crd()
                                    + ": install Sluice, or name another cluster with --context";
                    case Jobs.Unlisted() ->
                            "which jobs there are is not known, as you have no right to list them;"
                                    + " name another job, or a namespace with -n";
                    case Jobs.Listed(var names) when names.isEmpty() ->
                            "there is no job at all; name another namespace with -n";
                    case Jobs.Listed(var names) -> "there are: " + few(names);
                };
    }

    private static String few(List<String> names) {
        String text = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return names.size() <= MOST_NAMES
                ? text
                : text + " and " + (names.size() - MOST_NAMES) + " more";
    }
}
