// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.Option;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options that once had another key. The newest spelling is the one the rest of the code reads. */
final class Aliases {
    private static final String OPERATOR = OperatorOption.PREFIX;
    private static final Pattern OVERLAY =
            Pattern.compile("kubernetes\\.operator\\.default-configuration\\.[^.]+\\.[^.]+\\.");
    private static final String NESTED_AUTOSCALER = OPERATOR + AutoscalerOptions.PREFIX;

    private static final Map<String, String> OF_FLINK =
            Map.ofEntries(
                    Map.entry("high-availability", FlinkOptions.HIGH_AVAILABILITY.key()),
                    Map.entry("recovery.mode", FlinkOptions.HIGH_AVAILABILITY.key()),
                    Map.entry("restart-strategy", "restart-strategy.type"),
                    Map.entry("savepoints.state.backend.fs.dir", savepoints()),
                    Map.entry("state.backend", "state.backend.type"),
                    Map.entry("state.backend.incremental", "execution.checkpointing.incremental"),
                    Map.entry("state.checkpoint-storage", "execution.checkpointing.storage"),
                    Map.entry("state.checkpoints.dir", FlinkOptions.CHECKPOINT_FOLDER.key()),
                    Map.entry(
                            "state.checkpoints.num-retained",
                            "execution.checkpointing.num-retained"),
                    Map.entry(FlinkOptions.FORMER_SAVEPOINT_FOLDER.key(), savepoints()),
                    Map.entry(
                            AutoscalerOptions.FORMER_SCALE_DOWN_INTERVAL.key(),
                            AutoscalerOptions.SCALE_DOWN_INTERVAL.key()),
                    Map.entry(
                            AutoscalerOptions.FORMER_UTILIZATION_TARGET.key(),
                            AutoscalerOptions.UTILIZATION_TARGET.key()));

    private static final Map<String, String> NEWEST = newest();

    private Aliases() {}

    private static Map<String, String> newest() {
        Map<String, String> newest = new HashMap<>(OF_FLINK);
        for (OperatorOption option : DeclaredOptions.ALL.values()) {
            option.formerKeys().forEach(former -> newest.put(former, option.key()));
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(newest));
    }

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
        return !Option.isOurs(key);
    }

    private static String savepoints() {
        return FlinkOptions.SAVEPOINT_FOLDER.key();
    }
}
