// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkVersion;
import io.sluice.api.JobSpec;
import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.RunRequest;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;
import io.sluice.rules.jar.ArtifactPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** In which words a session job is handed to its cluster. */
final class Submitting {
    private static final Duration SUBMISSION_TIMEOUT = Duration.ofMinutes(10);

    /** Where an autoscaled job begins; Flink 2 ignores it. */
    private Submitting() {}

    static Action upload(Pass pass) {
        Options granted =
                new Options(
                        pass.snapshot()
                                .defaults()
                                .granted(pass.snapshot().identity().namespace(), pass.version()));
        return new Action.UploadJar(
                pass.attempt().orElse(""),
                new JarSource(
                        pass.snapshot().identity().namespace(),
                        pass.spec().job().flatMap(JobSpec::jarUri),
                        JarSource.headers(new Options(pass.effective())),
                        ArtifactPolicy.of(granted)));
    }

    static Action run(Pass pass, String jar, StartFrom from) {
        Options effective = new Options(pass.effective());
        return new Action.RunJar(
                pass.attempt().orElse(""),
                jar,
                new RunRequest(
                        pass.jobId(),
                        pass.spec().job().flatMap(JobSpec::entryClass),
                        pass.spec().job().map(JobSpec::args).orElseGet(List::of),
                        pass.spec().job().flatMap(JobSpec::parallelism),
                        KnownState.recorded(from),
                        pass.spec().job().flatMap(JobSpec::allowNonRestoredState).orElse(false),
                        configuration(pass),
                        effective.duration(
                                "kubernetes.operator.job.submission.timeout", SUBMISSION_TIMEOUT)));
    }

    /**
     * The job's own options, and what it needs for its state to outlive it; the cluster's are there
     * already. Flink before 1.17 takes none.
     */
    private static Map<String, String> configuration(Pass pass) {
        boolean takesOptions =
                pass.version().map(version -> version.isAtLeast(FlinkVersion.V1_17)).orElse(true);
        if (!takesOptions) {
            return Map.of();
        }
        Map<String, String> options = new TreeMap<>(pass.spec().flinkConfiguration().entries());
        options.keySet()
                .removeIf(
                        key ->
                                key.startsWith("kubernetes.operator.")
                                        || key.startsWith("job.autoscaler."));
        options.putIfAbsent("pipeline.name", pass.snapshot().identity().name());
        unless(
                pass,
                options,
                "execution.checkpointing.externalized-checkpoint-retention",
                "RETAIN_ON_CANCELLATION");
        boolean lastState =
                pass.spec()
                        .job()
                        .map(JobSpec::upgradeMode)
                        .equals(Optional.of(UpgradeMode.LAST_STATE));
        if (lastState) {
            unless(pass, options, "execution.checkpointing.interval", "5 min");
        }
        return options;
    }

    private static void unless(Pass pass, Map<String, String> options, String key, String value) {
        if (new Options(pass.effective()).text(key).isEmpty()) {
            options.put(key, value);
        }
    }
}
