// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options that once had another key. The newest spelling is the one the rest of the code reads. */
final class Aliases {
    private static final String OPERATOR = "kubernetes.operator.";
    private static final Pattern OVERLAY =
            Pattern.compile("kubernetes\\.operator\\.default-configuration\\.[^.]+\\.[^.]+\\.");
    private static final String NESTED_AUTOSCALER = OPERATOR + "job.autoscaler.";

    private static final Map<String, String> NEWEST =
            Map.ofEntries(
                    Map.entry("high-availability", "high-availability.type"),
                    Map.entry("recovery.mode", "high-availability.type"),
                    Map.entry("restart-strategy", "restart-strategy.type"),
                    Map.entry("savepoints.state.backend.fs.dir", savepoints()),
                    Map.entry("state.backend", "state.backend.type"),
                    Map.entry("state.backend.incremental", "execution.checkpointing.incremental"),
                    Map.entry("state.checkpoint-storage", "execution.checkpointing.storage"),
                    Map.entry("state.checkpoints.dir", "execution.checkpointing.dir"),
                    Map.entry(
                            "state.checkpoints.num-retained",
                            "execution.checkpointing.num-retained"),
                    Map.entry("state.savepoints.dir", savepoints()),
                    Map.entry(
                            OPERATOR + "reconciler.reschedule.interval",
                            OPERATOR + "reconcile.interval"),
                    Map.entry(
                            OPERATOR + "reconciler.max.parallelism",
                            OPERATOR + "reconcile.parallelism"),
                    Map.entry(
                            OPERATOR + "observer.flink.client.timeout",
                            OPERATOR + "flink.client.timeout"),
                    Map.entry(
                            OPERATOR + "reconciler.flink.cancel.job.timeout",
                            OPERATOR + "flink.client.cancel.timeout"),
                    Map.entry(
                            OPERATOR + "reconciler.flink.cluster.shutdown.timeout",
                            OPERATOR + "resource.cleanup.timeout"),
                    Map.entry(
                            OPERATOR + "observer.savepoint.trigger.grace-period",
                            OPERATOR + "savepoint.trigger.grace-period"),
                    Map.entry(
                            OPERATOR + "reconciler.jm-deployment-recovery.enabled",
                            OPERATOR + "jm-deployment-recovery.enabled"),
                    Map.entry(
                            OPERATOR + "session.block-on-unmanaged-jobs",
                            OPERATOR + "session.deletion.block-on-unmanaged-jobs"),
                    Map.entry(
                            "job.autoscaler.scale-up.grace-period",
                            "job.autoscaler.scale-down.interval"),
                    Map.entry(
                            "job.autoscaler.target.utilization",
                            "job.autoscaler.utilization.target"));

    private Aliases() {}

    /**
     * The newest spelling of {@code key}, be it an overlay's; itself if it has no other. There is
     * no overlay of an overlay, however often a key begins like one.
     */
    static String newest(String key) {
        Matcher overlay = OVERLAY.matcher(key);
        return overlay.lookingAt()
                ? overlay.group() + newestOf(key.substring(overlay.end()))
                : newestOf(key);
    }

    private static String newestOf(String key) {
        String flat = key.startsWith(NESTED_AUTOSCALER) ? key.substring(OPERATOR.length()) : key;
        return NEWEST.getOrDefault(flat, flat);
    }

    /** Puts {@code upper} onto {@code lower}: an entry replaces every spelling of its option. */
    static void overlay(Map<String, String> lower, Map<String, String> upper) {
        if (upper.isEmpty()) {
            return;
        }
        Set<String> replaced = new HashSet<>();
        upper.keySet().forEach(key -> replaced.add(newest(key)));
        lower.keySet().removeIf(key -> replaced.contains(newest(key)));
        lower.putAll(upper);
    }

    /**
     * Every option under its newest spelling. Older ones stay beside it if {@code keepOlder}: a
     * Flink that does not know the newest yet reads them.
     */
    static Map<String, String> resolve(Map<String, String> entries, boolean keepOlder) {
        Map<String, String> resolved = new HashMap<>(entries);
        List<String> older = new ArrayList<>(entries.keySet());
        older.removeIf(key -> newest(key).equals(key));
        for (String key : older) {
            Optional.ofNullable(entries.get(key))
                    .ifPresent(value -> resolved.putIfAbsent(newest(key), value));
            if (!keepOlder || !isFlinks(key)) {
                resolved.remove(key);
            }
        }
        return resolved;
    }

    private static boolean isFlinks(String key) {
        return !key.startsWith(OPERATOR) && !key.startsWith("job.autoscaler.");
    }

    private static String savepoints() {
        return "execution.checkpointing.savepoint-dir";
    }
}
