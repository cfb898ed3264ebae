// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.manifest;

import io.sluice.api.FlinkVersion;
import io.sluice.api.JobSpec;
import io.sluice.api.UpgradeMode;
import io.sluice.rules.config.Options;
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

    private static final String KEEPS_RESULTS = "job-result-store.delete-on-commit";
    private static final String OLD_PATH = "execution.savepoint.path";
    private static final String PATH = "execution.state-recovery.path";

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
        if (job.upgradeMode() == UpgradeMode.LAST_STATE) {
            options.putIfAbsent("execution.checkpointing.interval", "5 min");
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
                .text("high-availability.storageDir")
                .ifPresent(
                        folder ->
                                options.put(
                                        "job-result-store.storage-path",
                                        "%s/job-result-store/%s/%s"
                                                .formatted(
                                                        withoutSlashes(folder),
                                                        plan.name(),
                                                        plan.attempt())));
        options.putIfAbsent(KEEPS_RESULTS, "false");
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
        return effective.isHighlyAvailable() && !effective.flag(KEEPS_RESULTS, false);
    }
}
