// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static java.util.stream.Collectors.joining;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.AutoscalerEvent;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.Reply;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks a JobManager with the adaptive scheduler itself, for each vertex 1 to what was decided. As
 * long as its requirements are others they are set again: a JobManager without high availability
 * forgets them.
 */
public final class ResourceRequirements implements Realizer {

    private final JobManagerRest rest;
    private final JobEvents events;

    public ResourceRequirements(JobManagerRest rest, JobEvents events) {
        this.rest = rest;
        this.events = events;
    }

    @Override
    public Optional<String> carryOut(
            JobKey key, URI at, JobDetails job, Map<String, Integer> overrides) {
        boolean there =
                job.vertices().stream()
                        .allMatch(vertex -> wanted(vertex, overrides) == vertex.parallelism());
        if (there || overrides.isEmpty()) {
            return Optional.empty();
        }
        Map<String, ParallelismBounds> wanted = new TreeMap<>();
        job.vertices()
                .forEach(
                        vertex ->
                                wanted.put(
                                        vertex.id(),
                                        new ParallelismBounds(1, wanted(vertex, overrides))));
        return switch (rest.resourceRequirements(at, job.id())) {
            case Reply.Ok<Map<String, ParallelismBounds>>(var now) when now.equals(wanted) ->
                    Optional.empty();
            case Reply.Ok<Map<String, ParallelismBounds>> _ -> change(key, at, job, wanted);
            case Reply.JobUnknown<Map<String, ParallelismBounds>> _ -> Optional.of(unknown(job));
            case Reply.Refused<Map<String, ParallelismBounds>>(_, var why) ->
                    Optional.of(refused(why));
            case Reply.Unreachable<Map<String, ParallelismBounds>>(var why) -> Optional.of(why);
            case Reply.TooLarge<Map<String, ParallelismBounds>>(_, var why) -> Optional.of(why);
        };
    }

    private Optional<String> change(
            JobKey key, URI at, JobDetails job, Map<String, ParallelismBounds> wanted) {
        return switch (rest.changeResourceRequirements(at, job.id(), wanted)) {
            case Reply.Ok<Accepted> _ -> {
                events.publish(key, changed(job, wanted));
                yield Optional.empty();
            }
            case Reply.JobUnknown<Accepted> _ -> Optional.of(unknown(job));
            case Reply.Refused<Accepted>(_, var why) -> Optional.of(refused(why));
            case Reply.Unreachable<Accepted>(var why) -> Optional.of(why);
            case Reply.TooLarge<Accepted>(_, var why) -> Optional.of(why);
        };
    }

    private static int wanted(JobVertex vertex, Map<String, Integer> overrides) {
        return overrides.getOrDefault(vertex.id(), vertex.parallelism());
    }

    private static EngineEvent changed(JobDetails job, Map<String, ParallelismBounds> wanted) {
        String changes =
                job.vertices().stream()
                        .flatMap(
                                vertex ->
                                        Optional.ofNullable(wanted.get(vertex.id()))
                                                .map(
                                                        bounds ->
                                                                "%s (%s) 1..%d"
                                                                        .formatted(
                                                                                vertex.name(),
                                                                                vertex.id(),
                                                                                bounds.upper()))
                                                .stream())
                        .collect(joining("; "));
        return EngineEvent.of(
                AutoscalerEvent.RESOURCE_REQUIREMENTS_UPDATED,
                "resource requirements are now " + changes);
    }

    private static String unknown(JobDetails job) {
        return "the JobManager knows no job " + job.id();
    }

    private static String refused(String why) {
        return "Flink refuses new resource requirements, which only jobmanager.scheduler: adaptive"
                + " takes: "
                + why;
    }
}
