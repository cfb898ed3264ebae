// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is shown of one resource, as its status told it last.
 *
 * @param jobManager empty where there is none of its own
 * @param behind generations that the status does not tell of
 * @param memory in bytes
 */
public record ResourceFacts(
        LifecycleState lifecycle,
        Optional<String> job,
        Optional<JobManager> jobManager,
        boolean ready,
        boolean stalled,
        long behind,
        Optional<Double> cpu,
        Optional<Double> memory) {
    private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+)(?:\\..*)?");

    /**
     * @param version as the JobManager tells it; UNKNOWN before it does
     */
    public record JobManager(String state, String version) {
        /** UNKNOWN before it is told, MALFORMED if it is none. */
        String minor() {
            Matcher minor = MINOR.matcher(version);
            return version.equals("UNKNOWN")
                    ? version
                    : minor.matches() ? minor.group(1) : "MALFORMED";
        }
    }

    public static ResourceFacts of(FlinkDeployment resource) {
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(orEmpty(resource.getStatus()));
        Map<String, String> info = status.clusterInfo();
        return new ResourceFacts(
                status.lifecycleState().orElse(LifecycleState.CREATED),
                status.jobStatus().state().map(JobState::wire),
                Optional.of(
                        new JobManager(
                                status.jobManagerDeploymentStatus().wire(),
                                info.getOrDefault("flink-version", "UNKNOWN"))),
                holds(status.conditions(), "Ready"),
                holds(status.conditions(), "Stalled"),
                behind(resource.getMetadata(), status.observedGeneration()),
                number(info, "total-cpu"),
                number(info, "total-memory"));
    }

    public static ResourceFacts of(FlinkSessionJob resource) {
        FlinkSessionJobStatus status = FlinkSessionJobStatus.of(orEmpty(resource.getStatus()));
        return new ResourceFacts(
                status.lifecycleState().orElse(LifecycleState.CREATED),
                status.jobStatus().state().map(JobState::wire),
                Optional.empty(),
                holds(status.conditions(), "Ready"),
                holds(status.conditions(), "Stalled"),
                behind(resource.getMetadata(), status.observedGeneration()),
                Optional.empty(),
                Optional.empty());
    }

    private static ObjectNode orEmpty(ObjectNode status) {
        return Optional.ofNullable(status).orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private static boolean holds(List<Condition> conditions, String type) {
        return conditions.stream()
                .anyMatch(
                        each -> each.type().equals(type) && each.status() == Condition.Status.TRUE);
    }

    private static long behind(ObjectMeta metadata, Optional<Long> observed) {
        long generation = Optional.ofNullable(metadata.getGeneration()).orElse(0L);
        return Math.max(0, generation - observed.orElse(0L));
    }

    private static Optional<Double> number(Map<String, String> info, String key) {
        try {
            return Optional.ofNullable(info.get(key)).map(Double::valueOf);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
