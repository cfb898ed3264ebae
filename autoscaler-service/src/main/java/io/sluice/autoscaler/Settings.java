// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.JobManagerAddress;
import io.sluice.autoscaler.share.Place;
import io.sluice.process.NamespaceSource;
import io.sluice.process.Scope;
import io.sluice.process.access.AccessSettings;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.flink.util.TimeUtils;

/**
 * The process's environment, read once.
 *
 * @param namespaces those watched; empty for those of the configuration
 * @param configFolder of the operator's default configuration
 * @param jobManager where JobManagers answer; only runs from outside the cluster change it
 * @param cycleBudget how long one look at one job may take
 * @param rescalePause the least time between two scalings of a job
 * @param rescalesAtOnce how many jobs may be rescaled at the same time, by all replicas together
 * @param access whether callers have to say who they are
 * @param place where the replicas of this service meet; empty for one that is alone
 */
public record Settings(
        List<String> namespaces,
        Optional<Path> configFolder,
        JobManagerAddress jobManager,
        int httpPort,
        Duration cycleBudget,
        Duration rescalePause,
        int rescalesAtOnce,
        AccessSettings access,
        Optional<Place> place) {
    private static final Pattern LIST = Pattern.compile(",");

    public Settings {
        namespaces = List.copyOf(namespaces);
    }

    /** Throws {@link IllegalArgumentException} that names the variable, its value and a remedy. */
    public static Settings from(Map<String, String> environment) {
        int httpPort = parsed(environment, "SLUICE_HTTP_PORT", Settings::port, 8080);
        return new Settings(
                text(environment, "SLUICE_WATCH_NAMESPACES").stream()
                        .flatMap(LIST::splitAsStream)
                        .map(String::strip)
                        .filter(namespace -> !namespace.isBlank())
                        .toList(),
                text(environment, "SLUICE_CONFIG_DIR").map(Path::of),
                parsed(
                        environment,
                        "SLUICE_JOBMANAGER_ADDRESS",
                        JobManagerAddress::new,
                        JobManagerAddress.IN_CLUSTER),
                httpPort,
                parsed(
                        environment,
                        "SLUICE_CYCLE_BUDGET",
                        TimeUtils::parseDuration,
                        Duration.ofSeconds(30)),
                parsed(
                        environment,
                        "SLUICE_RESCALE_PAUSE",
                        TimeUtils::parseDuration,
                        Duration.ZERO),
                parsed(environment, "SLUICE_RESCALES_AT_ONCE", Settings::positive, 10),
                AccessSettings.from(environment),
                Place.from(environment, httpPort));
    }

    /** Which resources are served; the environment's namespaces go before the configuration's. */
    Scope scope(DefaultConfiguration configuration) {
        return Scope.of(
                new Options(configuration.own()),
                Set.copyOf(namespaces),
                place.map(Place::namespace).orElse("default"));
    }

    NamespaceSource namespaceSource(DefaultConfiguration configuration) {
        return NamespaceSource.of(new Options(configuration.own()), Set.copyOf(namespaces));
    }

    private static int port(String text) {
        int port = Integer.parseInt(text);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("must be 0 to 65535");
        }
        return port;
    }

    private static int positive(String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException("must be 1 or more");
        }
        return number;
    }

    private static <T> T parsed(
            Map<String, String> environment, String name, Function<String, T> parse, T otherwise) {
        Optional<String> text = text(environment, name);
        try {
            return text.map(parse).orElse(otherwise);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    name + "='" + text.orElse("") + "' is wrong: " + wrong.getMessage(), wrong);
        }
    }

    private static Optional<String> text(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }
}
