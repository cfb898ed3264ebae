// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DECIMAL;
import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.MEMORY;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;

import io.sluice.rules.config.value.MemorySize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options of Flink that Sluice reads or sets in more than one place, with Flink's defaults. */
public final class FlinkOptions {
    public static final Option<String> HIGH_AVAILABILITY =
            Option.of("high-availability.type", TEXT, "NONE");

    public static final Option<Optional<String>> HIGH_AVAILABILITY_FOLDER =
            Option.of("high-availability.storageDir", TEXT);

    public static final Option<Optional<String>> HIGH_AVAILABILITY_CLUSTER_ID =
            Option.of("high-availability.cluster-id", TEXT);

    /** The hosts of ZooKeeper, with their ports. */
    public static final Option<Optional<String>> ZOOKEEPER_QUORUM =
            Option.of("high-availability.zookeeper.quorum", TEXT);

    /** Below which node of ZooKeeper all clusters keep their metadata. */
    public static final Option<Optional<String>> ZOOKEEPER_ROOT =
            Option.of("high-availability.zookeeper.path.root", TEXT);

    /** Whether Flink forgets a job's result, after which a JobManager may run the job again. */
    public static final Option<Boolean> DELETES_RESULTS =
            Option.of("job-result-store.delete-on-commit", FLAG, "true");

    /** How many completed checkpoints Flink keeps. */
    public static final Option<Integer> RETAINED_CHECKPOINTS =
            Option.of("execution.checkpointing.num-retained", NUMBER, "1");

    public static final Option<Optional<String>> CLUSTER_ID =
            Option.of("kubernetes.cluster-id", TEXT);

    public static final Option<Optional<String>> NAMESPACE =
            Option.of("kubernetes.namespace", TEXT);

    public static final Option<Boolean> HOST_NETWORK =
            Option.of("kubernetes.hostnetwork.enabled", FLAG, "false");

    public static final Option<Optional<String>> REST_SERVICE_TYPE =
            Option.of("kubernetes.rest-service.exposed.type", TEXT);

    public static final Option<Integer> REST_PORT = Option.of("rest.port", NUMBER, "8081");

    /** The default of {@link #REST_TLS}. */
    public static final Option<Boolean> TLS = Option.of("security.ssl.enabled", FLAG, "false");

    public static final Option<Boolean> REST_TLS =
            Option.of("security.ssl.rest.enabled", FLAG, "false");

    /** Whether whoever calls the REST API has to show a certificate. */
    public static final Option<Boolean> REST_CLIENT_CERTIFICATES =
            Option.of("security.ssl.rest.authentication-enabled", FLAG, "false");

    public static final Option<Optional<String>> REST_BIND_PORT = Option.of("rest.bind-port", TEXT);

    public static final Option<String> SCHEDULER =
            Option.of("jobmanager.scheduler", TEXT, "default");

    public static final Option<Optional<String>> SCHEDULER_MODE = Option.of("scheduler-mode", TEXT);

    public static final Option<Integer> PARALLELISM = Option.of("parallelism.default", NUMBER, "1");

    public static final Option<Integer> TASK_SLOTS =
            Option.of("taskmanager.numberOfTaskSlots", NUMBER, "1");

    public static final Option<Optional<MemorySize>> TASK_MANAGER_MEMORY = memory("taskmanager");

    public static final Option<Optional<String>> JOB_NAME = Option.of("pipeline.name", TEXT);

    public static final Option<Optional<String>> CHECKPOINT_FOLDER =
            Option.of("execution.checkpointing.dir", TEXT);

    public static final Option<Optional<String>> SAVEPOINT_FOLDER =
            Option.of("execution.checkpointing.savepoint-dir", TEXT);

    /** The older spelling of {@link #SAVEPOINT_FOLDER}, for what is read as a user wrote it. */
    public static final Option<Optional<String>> FORMER_SAVEPOINT_FOLDER =
            Option.of("state.savepoints.dir", TEXT);

    public static final Option<Optional<Duration>> CHECKPOINT_INTERVAL =
            Option.of("execution.checkpointing.interval", DURATION);

    public static final Option<Duration> CHECKPOINT_TIMEOUT =
            Option.of("execution.checkpointing.timeout", DURATION, "10 min");

    public static final Option<Integer> TOLERABLE_FAILED_CHECKPOINTS =
            Option.of("execution.checkpointing.tolerable-failed-checkpoints", NUMBER, "0");

    public static final Option<Optional<String>> CHECKPOINT_RETENTION =
            Option.of("execution.checkpointing.externalized-checkpoint-retention", TEXT);

    /** For how long Flink gives the same answer about a job's checkpoints. */
    public static final Option<Optional<Duration>> CHECKPOINT_STATISTICS_CACHE =
            Option.of("rest.cache.checkpoint-statistics.timeout", DURATION);

    /** The default of {@link #CHECKPOINT_STATISTICS_CACHE}. */
    public static final Option<Duration> WEB_REFRESH_INTERVAL =
            Option.of("web.refresh-interval", DURATION, "3 s");

    /** Those of which a resource must have no value of another type. */
    static final List<Option<?>> CHECKED =
            List.of(
                    CHECKPOINT_INTERVAL,
                    TASK_SLOTS,
                    TASK_MANAGER_MEMORY,
                    Option.of("jobmanager.memory.flink.size", MEMORY),
                    Option.of("jobmanager.memory.heap.size", MEMORY),
                    memory("jobmanager"),
                    Option.of("taskmanager.memory.flink.size", MEMORY),
                    Option.of("taskmanager.memory.managed.size", MEMORY),
                    Option.of("taskmanager.memory.task.heap.size", MEMORY));

    private FlinkOptions() {}

    /**
     * The cores of a process.
     *
     * @param component {@code jobmanager} or {@code taskmanager}
     */
    public static Option<Optional<Double>> cpu(String component) {
        return Option.of("kubernetes." + component + ".cpu.amount", DECIMAL);
    }

    /** The memory of a whole process. */
    public static Option<Optional<MemorySize>> memory(String component) {
        return Option.of(component + ".memory.process.size", MEMORY);
    }

    /**
     * By how much the limit of a container is above its request.
     *
     * @param resource {@code cpu} or {@code memory}
     */
    public static Option<Double> limitFactor(String component, String resource) {
        return Option.of(
                "kubernetes." + component + "." + resource + ".limit-factor", DECIMAL, "1");
    }
}
