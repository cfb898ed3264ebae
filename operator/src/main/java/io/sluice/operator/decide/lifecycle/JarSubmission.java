// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.RequestOptions;
import io.sluice.rules.jar.ArtifactPolicy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the request by which a session job is handed to its cluster. */
final class JarSubmission {

    /** Where an autoscaled job begins; Flink 2 ignores it. */
    private JarSubmission() {}

    static Action upload(StepContext context) {
        Options granted =
                new Options(
                        context.observed()
                                .defaults()
                                .granted(
                                        context.observed().identity().namespace(),
                                        context.version()));
        return new Action.UploadJar(
                context.attempt().orElse(""),
                new JarSource(
                        context.observed().identity().namespace(),
                        context.spec().job().flatMap(JobSpec::jarUri),
                        JarSource.headers(new Options(context.effective())),
                        ArtifactPolicy.of(granted)));
    }

    static Action run(StepContext context, String jar, StartFrom from) {
        Options effective = new Options(context.effective());
        return new Action.RunJar(
                context.attempt().orElse(""),
                jar,
                new RunRequest(
                        context.jobId(),
                        context.spec().job().flatMap(JobSpec::entryClass),
                        context.spec().job().map(JobSpec::args).orElseGet(List::of),
                        context.spec().job().flatMap(JobSpec::parallelism),
                        RestorableState.recorded(from),
                        context.spec().job().flatMap(JobSpec::allowNonRestoredState).orElse(false),
                        configuration(context),
                        effective.get(RequestOptions.SUBMISSION_TIMEOUT)));
    }

    /**
     * The job's own options, and what it needs for its state to outlive it; the cluster's are there
     * already. Flink before 1.17 takes none.
     */
    private static Map<String, String> configuration(StepContext context) {
        boolean takesOptions =
                context.version()
                        .map(version -> version.isAtLeast(FlinkVersion.V1_17))
                        .orElse(true);
        if (!takesOptions) {
            return Map.of();
        }
        Map<String, String> options = new TreeMap<>(context.spec().flinkConfiguration().entries());
        options.keySet().removeIf(Option::isOurs);
        options.putIfAbsent(FlinkOptions.JOB_NAME.key(), context.observed().identity().name());
        unless(
                context,
                options,
                FlinkOptions.CHECKPOINT_RETENTION.key(),
                StateOptions.USUAL_RETENTION);
        boolean needsCheckpoints =
                context.spec()
                        .job()
                        .filter(job -> job.upgradeMode().needsCheckpoints())
                        .isPresent();
        if (needsCheckpoints) {
            unless(
                    context,
                    options,
                    FlinkOptions.CHECKPOINT_INTERVAL.key(),
                    StateOptions.USUAL_INTERVAL);
        }
        return options;
    }

    private static void unless(
            StepContext context, Map<String, String> options, String key, String value) {
        if (new Options(context.effective()).text(key).isEmpty()) {
            options.put(key, value);
        }
    }
}
