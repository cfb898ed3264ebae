// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.Map;

/**
 * The options on which the state of a job hangs: what it starts from, how often it is kept, and
 * that an ended job does not begin again.
 */
public final class StateOptions {
    /**
     * Stands for "what the high-availability metadata names". It is no path: should the metadata be
     * gone, Flink fails to start instead of starting empty.
     */
    public static final String LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

    /** The interval of checkpoints of a job that is to be restored from its last one. */
    public static final String USUAL_INTERVAL = "5 min";

    /** What Flink does with checkpoints of a job that was cancelled. */
    public static final String USUAL_RETENTION = "RETAIN_ON_CANCELLATION";

    static final String OLD_PATH = "execution.savepoint.path";
    static final String PATH = "execution.state-recovery.path";

    private StateOptions() {}

    static void put(ClusterPlan plan, JobSpec job, Map<String, String> options) {
        boolean renamed = plan.version().isAtLeast(FlinkVersion.V1_20);
        options.remove(OLD_PATH);
        options.remove(PATH);
        String key = renamed ? PATH : OLD_PATH;
        switch (plan.from()) {
            case StartFrom.Nothing _ -> {}
            case StartFrom.Savepoint(var path) -> options.put(key, path);
            case StartFrom.LastState _ -> options.put(key, LAST_STATE);
        }
        job.allowNonRestoredState()
                .ifPresent(
                        allowed ->
                                options.put(
                                        renamed
                                                ? "execution.state-recovery.ignore-unclaimed-state"
                                                : "execution.savepoint.ignore-unclaimed-state",
                                        Boolean.toString(allowed)));
        if (job.upgradeMode().needsCheckpoints()) {
            options.putIfAbsent(FlinkOptions.CHECKPOINT_INTERVAL.key(), USUAL_INTERVAL);
        }
        results(plan, options);
    }

    /**
     * A kept result keeps Flink from running an ended job again when its JobManager restarts. Each
     * attempt has a folder of its own, or the result of one would end the next.
     */
    private static void results(ClusterPlan plan, Map<String, String> options) {
        Options effective = new Options(plan.effective());
        if (!effective.isHighlyAvailable()) {
            return;
        }
        effective
                .get(FlinkOptions.HIGH_AVAILABILITY_FOLDER)
                .ifPresent(
                        folder ->
                                options.put(
                                        "job-result-store.storage-path",
                                        "%s/job-result-store/%s/%s"
                                                .formatted(
                                                        withoutSlashes(folder),
                                                        plan.name(),
                                                        plan.attempt())));
        options.putIfAbsent(FlinkOptions.DELETES_RESULTS.key(), "false");
    }

    private static String withoutSlashes(String folder) {
        int end = folder.length();
        while (end > 0 && folder.charAt(end - 1) == '/') {
            end--;
        }
        return folder.substring(0, end);
    }

    /**
     * Whether a JobManager of a cluster so configured that restarts after the job's end leaves the
     * job ended. If not, it runs the job again, from nothing.
     */
    public static boolean keepsResults(Options effective) {
        return effective.isHighlyAvailable()
                && !effective.value(FlinkOptions.DELETES_RESULTS).orElse(false);
    }
}
