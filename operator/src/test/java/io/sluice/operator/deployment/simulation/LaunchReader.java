// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.manifest.ManifestRenderer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what the container of a JobManager is started with, as Flink does: the image says which
 * Flink it is, and that which file it reads; the entry point of a standalone application puts its
 * command line on top of that.
 */
final class LaunchReader {
    private static final String NEWER_FILE = "config.yaml";
    private static final String OLDER_FILE = "flink-conf.yaml";
    private static final String STANDALONE_JOB = "standalone-job";

    private final SimulatedNode.World world;
    private final Map<String, FlinkLaunch.History> histories = new HashMap<>();

    LaunchReader(SimulatedNode.World world) {
        this.world = world;
    }

    /** Empty if the container does not come to run a Flink. */
    Optional<FlinkLaunch> launch(Deployment deployment) {
        Container container =
                deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
        String version = container.getImage().replaceFirst("[^:]*:", "");
        return mounted(deployment)
                .flatMap(map -> options(version, map))
                .map(options -> withArguments(options, container.getArgs()))
                .map(options -> launch(deployment, version, options));
    }

    private FlinkLaunch launch(Deployment deployment, String version, Map<String, String> options) {
        var metadata = deployment.getMetadata();
        return new FlinkLaunch(
                metadata.getName(),
                metadata.getUid(),
                Long.parseLong(
                        metadata.getAnnotations().get(ManifestRenderer.GENERATION_ANNOTATION)),
                version,
                options,
                histories.computeIfAbsent(metadata.getUid(), _ -> new FlinkLaunch.History()));
    }

    /** The ConfigMap as it is when the container starts. */
    Optional<ConfigMap> mounted(Deployment of) {
        return world.api().find(ConfigMap.class, world.namespace(), mount(of));
    }

    /** The name of the ConfigMap that the container mounts. */
    static String mount(Deployment of) {
        return "flink-config-" + of.getMetadata().getName();
    }

    /** The older file is gone with Flink 2.0; before, it wins over the newer one. */
    private static Optional<Map<String, String>> options(String version, ConfigMap map) {
        Optional<String> older =
                Optional.ofNullable(map.getData().get(OLDER_FILE))
                        .filter(_ -> version.startsWith("1."));
        return older.map(LaunchReader::lines)
                .or(
                        () ->
                                Optional.ofNullable(map.getData().get(NEWER_FILE))
                                        .map(LaunchReader::yaml));
    }

    private static Map<String, String> lines(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        text.lines()
                .map(line -> line.split(": ", 2))
                .filter(pair -> pair.length == 2)
                .forEach(pair -> options.put(pair[0].strip(), pair[1].strip()));
        return options;
    }

    private static Map<String, String> yaml(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        flatten("", Serialization.unmarshal(text, Map.class), options);
        return options;
    }

    private static void flatten(String prefix, Map<?, ?> from, Map<String, String> to) {
        from.forEach(
                (key, value) -> {
                    if (value instanceof Map<?, ?> deeper) {
                        flatten(prefix + key + ".", deeper, to);
                    } else {
                        to.put(prefix + key, String.valueOf(value));
                    }
                });
    }

    private static Map<String, String> withArguments(
            Map<String, String> file, List<String> arguments) {
        return arguments.isEmpty() || !arguments.getFirst().equals(STANDALONE_JOB)
                ? file
                : ofStandaloneJob(file, arguments.listIterator(1));
    }

    private static Map<String, String> ofStandaloneJob(
            Map<String, String> file, Iterator<String> arguments) {
        Map<String, String> options = new LinkedHashMap<>(file);
        List<String> ofProgram = new ArrayList<>();
        while (arguments.hasNext()) {
            String next = arguments.next();
            switch (next) {
                case "--fromSavepoint" -> options.put(FlinkLaunch.PATH, arguments.next());
                case "--allowNonRestoredState" ->
                        options.put(FlinkLaunch.IGNORES_UNCLAIMED, "true");
                case "--job-classname" -> arguments.next();
                case "-D" -> options.putAll(property(arguments.next()));
                default -> ofProgram.add(next);
            }
        }
        options.put(FlinkLaunch.ARGUMENTS, String.join(";", ofProgram));
        return options;
    }

    private static Map<String, String> property(String text) {
        int equals = text.indexOf('=');
        return Map.of(text.substring(0, equals), text.substring(equals + 1));
    }
}
