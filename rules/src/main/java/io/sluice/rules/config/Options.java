// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.Option;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An effective configuration read as types. A value that is not of its type counts as not set: the
 * rule {@code config-value-type} has reported it.
 */
public record Options(FlinkConfiguration configuration) {
    private static final int HIGHEST_PORT = 65_535;
    private static final Set<String> KUBERNETES_FACTORIES =
            Set.of(
                    "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory",
                    "org.apache.flink.kubernetes.highavailability"
                            + ".KubernetesMultipleComponentLeaderElectionHaServicesFactory");

    private static final List<Option<Optional<String>>> ZOOKEEPER_PLACE =
            List.of(FlinkOptions.ZOOKEEPER_QUORUM, FlinkOptions.ZOOKEEPER_ROOT);

    /** The value of {@code option}, or else its default. */
    public <T> T get(Option<T> option) {
        return value(option).orElseGet(option::otherwise);
    }

    /** The value of {@code option}; empty if it is not set, or to nothing that counts. */
    public <T> Optional<T> value(Option<T> option) {
        return text(option.key()).flatMap(option::read);
    }

    /** Whether {@code option} is set, to whatever it is. */
    public boolean isSet(Option<?> option) {
        return text(option.key()).isPresent();
    }

    /** The entry as it is written, if it is there and not blank. */
    public Optional<String> text(String key) {
        return configuration.get(key).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Whether Flink makes a job as parallel as there are TaskManagers for. */
    public boolean isReactive() {
        return get(FlinkOptions.SCHEDULER_MODE).filter("reactive"::equalsIgnoreCase).isPresent();
    }

    /** Whether Flink's adaptive scheduler runs the job. */
    public boolean isAdaptive() {
        return get(FlinkOptions.SCHEDULER).equalsIgnoreCase("adaptive");
    }

    /**
     * Whether a job that runs can be given another parallelism over REST.
     *
     * @param version of its cluster; empty if it is not known, which does not speak against it
     */
    public boolean isScaledInPlace(Optional<FlinkVersion> version) {
        return get(LifecycleOptions.IN_PLACE_SCALING)
                && isAdaptive()
                && version.filter(it -> !it.isAtLeast(FlinkVersion.V1_18)).isEmpty();
    }

    /** The kind of high availability, where it is one that nothing is known of. */
    public Optional<String> unknownHighAvailability() {
        return highAvailability().filter(_ -> !keepsMetadataInKubernetes() && !usesZooKeeper());
    }

    /** Whether Flink keeps its metadata outside the JobManager. */
    public boolean isHighlyAvailable() {
        return highAvailability().isPresent();
    }

    /** Whether Flink keeps its metadata in ConfigMaps, where the operator reads them. */
    public boolean keepsMetadataInKubernetes() {
        return highAvailability()
                .filter(
                        type ->
                                type.equalsIgnoreCase("kubernetes")
                                        || KUBERNETES_FACTORIES.contains(type))
                .isPresent();
    }

    /** Whether Flink keeps its metadata in ZooKeeper, which the operator never asks. */
    public boolean usesZooKeeper() {
        return highAvailability().filter("zookeeper"::equalsIgnoreCase).isPresent();
    }

    /**
     * Whether a session cluster with these options finds the metadata that one with {@code former}
     * has left, and brings its jobs back.
     */
    public boolean findsMetadataOf(Options former) {
        if (usesZooKeeper()) {
            return former.usesZooKeeper()
                    && ZOOKEEPER_PLACE.stream()
                            .allMatch(option -> get(option).equals(former.get(option)));
        }
        return keepsMetadataInKubernetes() && former.keepsMetadataInKubernetes();
    }

    private Optional<String> highAvailability() {
        return Optional.of(get(FlinkOptions.HIGH_AVAILABILITY))
                .filter(type -> !type.equalsIgnoreCase("NONE"));
    }

    /** Where a JobManager listens; what is no port counts as not set. */
    public int restPort() {
        return value(FlinkOptions.REST_PORT)
                .filter(port -> port > 0 && port <= HIGHEST_PORT)
                .orElseGet(FlinkOptions.REST_PORT::otherwise);
    }

    /** The folder for savepoints, by either of its keys. */
    public Optional<String> savepointFolder() {
        return get(FlinkOptions.SAVEPOINT_FOLDER)
                .or(() -> get(FlinkOptions.FORMER_SAVEPOINT_FOLDER));
    }

    /** Whether the JobManager's REST API uses TLS. */
    public boolean usesRestTls() {
        return value(FlinkOptions.REST_TLS).orElseGet(() -> get(FlinkOptions.TLS));
    }
}
