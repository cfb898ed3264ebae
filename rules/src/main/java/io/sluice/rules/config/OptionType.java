// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.value.FlinkDuration;
import io.sluice.rules.config.value.MemorySize;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the value of an option has to be, and the options of which we know it. */
public enum OptionType {
    FLAG("must be true or false"),
    DURATION("is no duration; write it like 15 s, 5 min or 1 d"),
    WHOLE_NUMBER("must be a whole number"),
    MEMORY("is no size of Flink's; write it like 2g or 2048m");

    /** By key, in the order of the keys. */
    public static final SequencedMap<String, OptionType> KNOWN = known();

    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,9}");

    private final String complaint;

    OptionType(String complaint) {
        this.complaint = complaint;
    }

    /** What to tell the user about a value that is not of this type. */
    public String complaint() {
        return complaint;
    }

    /** Whether {@code value} is of this type; a blank one counts as not set. */
    public boolean accepts(String value) {
        if (value.isBlank()) {
            return true;
        }
        return switch (this) {
            case FLAG ->
                    value.strip().equalsIgnoreCase("true")
                            || value.strip().equalsIgnoreCase("false");
            case DURATION -> FlinkDuration.parse(value).isPresent();
            case WHOLE_NUMBER -> WHOLE.matcher(value.strip()).matches();
            case MEMORY -> MemorySize.parseFlink(value).isPresent();
        };
    }

    private static SequencedMap<String, OptionType> known() {
        SequencedMap<String, OptionType> known = new TreeMap<>();
        Map.of(
                        FLAG,
                        List.of(
                                "kubernetes.operator.cluster.health-check.enabled",
                                "kubernetes.operator.deployment.rollback.enabled",
                                "kubernetes.operator.jm-deployment-recovery.enabled",
                                "kubernetes.operator.job.restart.failed",
                                "kubernetes.operator.job.restart.lost-state",
                                "kubernetes.operator.job.savepoint-on-deletion",
                                "kubernetes.operator.job.upgrade.inplace-scaling.enabled",
                                "kubernetes.operator.snapshot.resource.enabled",
                                "job.autoscaler.enabled",
                                "job.autoscaler.scaling.enabled"),
                        DURATION,
                        List.of(
                                "kubernetes.operator.deployment.readiness.timeout",
                                "kubernetes.operator.reconcile.interval",
                                "kubernetes.operator.flink.client.timeout",
                                "kubernetes.operator.flink.client.cancel.timeout",
                                "kubernetes.operator.jm-deployment.shutdown-ttl",
                                "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age",
                                "kubernetes.operator.resource.cleanup.timeout",
                                "execution.checkpointing.interval",
                                "job.autoscaler.metrics.window",
                                "job.autoscaler.stabilization.interval"),
                        WHOLE_NUMBER,
                        List.of(
                                "job.autoscaler.vertex.max-parallelism",
                                "job.autoscaler.vertex.min-parallelism",
                                "taskmanager.numberOfTaskSlots"),
                        MEMORY,
                        List.of(
                                "jobmanager.memory.flink.size",
                                "jobmanager.memory.heap.size",
                                "jobmanager.memory.process.size",
                                "taskmanager.memory.flink.size",
                                "taskmanager.memory.managed.size",
                                "taskmanager.memory.process.size",
                                "taskmanager.memory.task.heap.size"))
                .forEach((type, keys) -> keys.forEach(key -> known.put(key, type)));
        return Collections.unmodifiableSequencedMap(known);
    }
}
