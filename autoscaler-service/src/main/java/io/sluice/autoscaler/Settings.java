// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.share.Place;
import io.sluice.process.Environment;
import io.sluice.process.NamespaceSource;
import io.sluice.process.RestTlsSettings;
import io.sluice.process.Scope;
import io.sluice.process.Variable;
import io.sluice.process.access.AccessSettings;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.RestEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.util.TimeUtils;

/**
 * The process's environment, read once.
 *
 * @param namespaces those watched; empty for those of the configuration
 * @param configFolder of the operator's default configuration
 * @param jobManager where JobManagers answer; only runs from outside the cluster change it
 * @param jobManagerTls by which certificates those are trusted that use TLS
 * @param cycleBudget how long one look at one job may take
 * @param rescalePause the least time between two scalings of a job
 * @param rescalesAtOnce how many jobs may be rescaled at the same time, by all replicas together
 * @param access whether callers have to say who they are
 * @param place where the replicas of this service meet; empty for one that is alone
 * @param lockFolder of the locks by which processes without a place exclude one another
 */
public record Settings(
        List<String> namespaces,
        Optional<Path> configFolder,
        RestEndpoint jobManager,
        RestTlsSettings jobManagerTls,
        int httpPort,
        Duration cycleBudget,
        Duration rescalePause,
        int rescalesAtOnce,
        AccessSettings access,
        Optional<Place> place,
        Path lockFolder) {
    public Settings {
        namespaces = List.copyOf(namespaces);
    }

    /**
     * As the environment says.
     *
     * @throws Environment.Unusable if a variable can't be read
     */
    public static Settings from(Map<String, String> variables) {
        var environment = new Environment(variables);
        int httpPort = environment.number(Variable.HTTP_PORT, 0, 65_535, 8080);
        return new Settings(
                environment.list(Variable.WATCH_NAMESPACES),
                environment.text(Variable.CONFIG_DIR).map(Path::of),
                environment.value(
                        Variable.JOBMANAGER_ADDRESS, Settings::address, RestEndpoint.IN_CLUSTER),
                RestTlsSettings.from(environment),
                httpPort,
                environment.value(
                        Variable.CYCLE_BUDGET, TimeUtils::parseDuration, Duration.ofSeconds(30)),
                environment.value(Variable.RESCALE_PAUSE, TimeUtils::parseDuration, Duration.ZERO),
                environment.number(Variable.RESCALES_AT_ONCE, 1, Integer.MAX_VALUE, 10),
                AccessSettings.from(environment),
                Place.from(environment, httpPort),
                environment
                        .text(Variable.LOCK_DIR)
                        .map(Path::of)
                        .orElseGet(Settings::temporaryFolder));
    }

    private static Path temporaryFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"), "sluice-autoscaler");
    }

    private static RestEndpoint address(String template) {
        var address = new RestEndpoint(template);
        if (address.of("namespace", "name", new Options(FlinkConfiguration.EMPTY)).getPort() < 0) {
            throw new IllegalArgumentException("there is no port; add :{port}");
        }
        return address;
    }

    /** Which resources are served; the environment's namespaces go before the configuration's. */
    public Scope scope(DefaultConfiguration configuration) {
        return Scope.of(
                new Options(configuration.own()),
                Collections.unmodifiableSet(new LinkedHashSet<>(namespaces)),
                place.map(Place::namespace).orElse("default"));
    }

    NamespaceSource namespaceSource(DefaultConfiguration configuration) {
        return NamespaceSource.of(
                new Options(configuration.own()),
                Collections.unmodifiableSet(new LinkedHashSet<>(namespaces)));
    }
}
