// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import io.sluice.rules.config.value.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is shown of one resource, as its status told it last.
 *
 * @param jobManager empty where there is none of its own
 * @param behind generations that the status does not tell of
 * @param memory in bytes
 * @param savepoints of its job
 */
public record ResourceFacts(
        LifecycleState lifecycle,
        Optional<String> job,
        Optional<JobManager> jobManager,
        boolean ready,
        boolean stalled,
        long behind,
        Optional<Double> cpu,
        Optional<Double> memory,
        Savepoints savepoints) {
    private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+)(?:\\..*)?");

    /**
     * What is known of the savepoints of a job.
     *
     * @param last when the last one was complete that the status itself tells of
     * @param failed whether the last one could not be made; empty if none is on record
     * @param interval between two that a schedule asks for, at most
     */
    public record Savepoints(
            Optional<Instant> last, Optional<Boolean> failed, Optional<Duration> interval) {
        /** So many times of a cron expression are looked at. */
        private static final int TIMES = 8;

        static Savepoints of(StateLog log, Options effective, Instant now) {
            boolean isKnown = !log.equals(StateLog.EMPTY);
            return new Savepoints(
                    log.last().map(SavedState::at),
                    Optional.of(log.failure().isPresent()).filter(_ -> isKnown),
                    effective
                            .get(SnapshotOptions.PERIODIC_SAVEPOINT_INTERVAL)
                            .flatMap(schedule -> longest(schedule, now)));
        }

        private static Optional<Duration> longest(Schedule schedule, Instant now) {
            return switch (schedule) {
                case Schedule.Every(var interval) -> Optional.of(interval);
                case Schedule.Cron cron -> {
                    List<Instant> times =
                            Stream.iterate(
                                            cron.next(now, now),
                                            Optional::isPresent,
                                            at -> at.flatMap(it -> cron.next(it, it)))
                                    .limit(TIMES)
                                    .flatMap(Optional::stream)
                                    .toList();
                    yield IntStream.range(1, times.size())
                            .mapToObj(at -> Duration.between(times.get(at - 1), times.get(at)))
                            .max(Comparator.naturalOrder());
                }
            };
        }
    }

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

    /**
     * @param defaults what jobs run with, beside what their specs say
     */
    public static ResourceFacts of(
            FlinkDeployment resource, DefaultConfiguration defaults, Instant now) {
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
                number(info, "total-memory"),
                Savepoints.of(
                        status.jobStatus().log().savepoints(),
                        options(
                                resource.getMetadata(),
                                FlinkDeploymentSpec.parse(orEmpty(resource.getSpec()), "spec")
                                        .value(),
                                defaults),
                        now));
    }

    /**
     * A schedule that only the session cluster's own configuration has is not known.
     *
     * @param defaults what jobs run with, beside what their specs say
     */
    public static ResourceFacts of(
            FlinkSessionJob resource, DefaultConfiguration defaults, Instant now) {
        FlinkSessionJobStatus status = FlinkSessionJobStatus.of(orEmpty(resource.getStatus()));
        return new ResourceFacts(
                status.lifecycleState().orElse(LifecycleState.CREATED),
                status.jobStatus().state().map(JobState::wire),
                Optional.empty(),
                holds(status.conditions(), "Ready"),
                holds(status.conditions(), "Stalled"),
                behind(resource.getMetadata(), status.observedGeneration()),
                Optional.empty(),
                Optional.empty(),
                Savepoints.of(
                        status.jobStatus().log().savepoints(),
                        new Options(
                                defaults.effective(
                                        resource.getMetadata().getNamespace(),
                                        Optional.empty(),
                                        FlinkSessionJobSpec.parse(
                                                        orEmpty(resource.getSpec()), "spec")
                                                .value()
                                                .flinkConfiguration())),
                        now));
    }

    private static Options options(
            ObjectMeta metadata, FlinkDeploymentSpec spec, DefaultConfiguration defaults) {
        return new Options(
                defaults.effective(
                        metadata.getNamespace(), spec.flinkVersion(), spec.flinkConfiguration()));
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
