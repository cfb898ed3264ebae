// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkVersion;
import io.sluice.rules.config.value.FlinkDuration;
import io.sluice.rules.config.value.MemorySize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An effective configuration read as types. A value that is not of its type counts as not set: the
 * rule {@code config-value-type} has reported it.
 */
public record Options(FlinkConfiguration configuration) {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(?:Infinity|(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d{1,3})?)");

    private static final int REST_PORT = 8081;
    private static final int HIGHEST_PORT = 65_535;
    private static final Set<String> KUBERNETES_FACTORIES =
            Set.of(
                    "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory",
                    "org.apache.flink.kubernetes.highavailability"
                            + ".KubernetesMultipleComponentLeaderElectionHaServicesFactory");

    /** The entry, if it is there and not blank. */
    public Optional<String> text(String key) {
        return configuration.get(key).map(String::strip).filter(value -> !value.isEmpty());
    }

    public boolean flag(String key, boolean otherwise) {
        return text(key)
                .filter(OptionType.FLAG::accepts)
                .map(Boolean::parseBoolean)
                .orElse(otherwise);
    }

    public Optional<Duration> duration(String key) {
        return text(key).flatMap(FlinkDuration::parse);
    }

    /** A duration as Flink's options write it; empty if {@code text} is none. */
    public static Optional<Duration> durationOf(String text) {
        return FlinkDuration.parse(text);
    }

    public Duration duration(String key, Duration otherwise) {
        return duration(key).orElse(otherwise);
    }

    public int number(String key, int otherwise) {
        return text(key)
                .filter(OptionType.WHOLE_NUMBER::accepts)
                .map(Integer::parseInt)
                .orElse(otherwise);
    }

    /** Empty if it is not set or no number; not-a-number is none. */
    public Optional<Double> decimal(String key) {
        return text(key).flatMap(Options::decimalOf);
    }

    static Optional<Double> decimalOf(String text) {
        return Optional.of(text.strip())
                .filter(value -> DECIMAL.matcher(value).matches())
                .map(Double::parseDouble);
    }

    /**
     * A list as Flink writes it: {@code a;b}, or as YAML {@code ['a', 'b']}. Blank elements are
     * left out.
     */
    public List<String> list(String key) {
        return listOf(text(key).orElse(""));
    }

    static List<String> listOf(String value) {
        Stream<String> elements =
                value.startsWith("[") ? yaml(value) : Stream.of(value.split(";", -1));
        return elements.map(String::strip).filter(element -> !element.isEmpty()).toList();
    }

    private static Stream<String> yaml(String value) {
        try {
            return Stream.of(new YAMLMapper().readValue(value, String[].class));
        } catch (JsonProcessingException notYaml) {
            return Stream.of(value);
        }
    }

    public Optional<MemorySize> memory(String key) {
        return text(key).flatMap(MemorySize::parse);
    }

    /** Whether Flink makes a job as parallel as there are TaskManagers for. */
    public boolean isReactive() {
        return text("scheduler-mode").filter("reactive"::equalsIgnoreCase).isPresent();
    }

    /**
     * Whether a job that runs can be given another parallelism over REST.
     *
     * @param version of its cluster; empty if it is not known, which does not speak against it
     */
    public boolean isScaledInPlace(Optional<FlinkVersion> version) {
        return flag("kubernetes.operator.job.upgrade.inplace-scaling.enabled", true)
                && text("jobmanager.scheduler").filter("adaptive"::equalsIgnoreCase).isPresent()
                && version.filter(it -> !it.isAtLeast(FlinkVersion.V1_18)).isEmpty();
    }

    /**
     * The kind of high availability, where it is none of Kubernetes': its metadata is not where
     * Sluice looks for it.
     */
    public Optional<String> foreignHighAvailability() {
        return highAvailability()
                .filter(type -> !type.equalsIgnoreCase("kubernetes"))
                .filter(type -> !KUBERNETES_FACTORIES.contains(type));
    }

    /** Whether Flink keeps its metadata outside the JobManager. */
    public boolean isHighlyAvailable() {
        return highAvailability().isPresent();
    }

    private Optional<String> highAvailability() {
        return text("high-availability.type").filter(type -> !type.equalsIgnoreCase("NONE"));
    }

    /** Where a JobManager listens; what is no port counts as not set. */
    public int restPort() {
        return Optional.of(number("rest.port", REST_PORT))
                .filter(port -> port > 0 && port <= HIGHEST_PORT)
                .orElse(REST_PORT);
    }
}
