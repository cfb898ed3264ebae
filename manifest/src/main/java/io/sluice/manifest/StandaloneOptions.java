// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The Flink configuration of a standalone cluster, and what its JobManager is told on its command
 * line. The command line carries what a configuration can't: the class with {@code main()} and its
 * arguments.
 */
final class StandaloneOptions {
    private static final String LOCAL = "local://";

    /** Flink's scripts read the file line by line. */
    private static final YAMLMapper LINES =
            YAMLMapper.builder().disable(YAMLGenerator.Feature.SPLIT_LINES).build();

    private static final List<String> OF_NATIVE =
            List.of(
                    "execution.target",
                    "pipeline.jars",
                    "$internal.application.main",
                    "$internal.application.program-args",
                    "kubernetes.jobmanager.annotations",
                    "kubernetes.container.image.ref",
                    "kubernetes.container.image.pull-policy",
                    FlinkOptions.REST_SERVICE_TYPE.key(),
                    StateOptions.OLD_PATH,
                    StateOptions.PATH);

    private StandaloneOptions() {}

    static Map<String, String> of(ClusterPlan plan) {
        Map<String, String> options = AttemptOptions.of(plan);
        OF_NATIVE.forEach(options::remove);
        options.put(FlinkOptions.PARALLELISM.key(), Integer.toString(plan.parallelism()));
        options.put("jobmanager.rpc.address", plan.name() + "." + plan.namespace());
        options.putIfAbsent("jobmanager.rpc.port", "6123");
        options.putIfAbsent(FlinkOptions.REST_PORT.key(), FlinkOptions.REST_PORT.defaultText());
        plan.spec()
                .job()
                .flatMap(JobSpec::jarUri)
                .filter(jar -> jar.startsWith(LOCAL))
                .ifPresent(
                        jar ->
                                options.put(
                                        "pipeline.classpaths",
                                        "file://" + jar.substring(LOCAL.length())));
        return options;
    }

    /**
     * Under high availability a JobManager is found by its own address, as there may be several;
     * else by the Service.
     */
    static List<String> jobManagerArguments(ClusterPlan plan, Map<String, String> options) {
        List<String> arguments = new ArrayList<>();
        Optional<JobSpec> job = plan.spec().job();
        arguments.add(job.isPresent() ? "standalone-job" : "jobmanager");
        job.ifPresent(it -> ofJob(plan, it, arguments));
        if (new Options(plan.effective()).isHighlyAvailable()) {
            arguments.add("-D");
            arguments.add("jobmanager.rpc.address=$(POD_IP)");
        }
        job.ifPresent(it -> arguments.addAll(it.args()));
        return arguments;
    }

    private static void ofJob(ClusterPlan plan, JobSpec job, List<String> arguments) {
        job.entryClass()
                .ifPresent(
                        main -> {
                            arguments.add("--job-classname");
                            arguments.add(main);
                        });
        if (job.allowNonRestoredState().orElse(false)) {
            arguments.add("--allowNonRestoredState");
        }
        Optional<String> path =
                switch (plan.from()) {
                    case StartFrom.Nothing _ -> Optional.empty();
                    case StartFrom.Savepoint(var from) -> Optional.of(from);
                    case StartFrom.LastState _ -> Optional.of(StateOptions.LAST_STATE);
                };
        path.ifPresent(
                from -> {
                    arguments.add("--fromSavepoint");
                    arguments.add(from);
                });
    }

    /** The configuration in the layout that the version reads, and the user's log settings. */
    static Map<String, String> files(ClusterPlan plan, Map<String, String> options) {
        Map<String, String> files = new TreeMap<>(ManifestRenderer.logFiles(plan));
        if (plan.version().isAtLeast(FlinkVersion.V2_0)) {
            files.put("config.yaml", yaml(options));
        } else {
            files.put(
                    "flink-conf.yaml",
                    options.entrySet().stream()
                            .map(entry -> entry.getKey() + ": " + entry.getValue() + "\n")
                            .collect(Collectors.joining()));
        }
        return files;
    }

    private static String yaml(Map<String, String> options) {
        try {
            return LINES.writeValueAsString(options);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("texts by text are always YAML", impossible);
        }
    }
}
