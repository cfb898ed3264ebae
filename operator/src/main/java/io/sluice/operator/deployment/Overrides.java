// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hand-over from the autoscaler service: {@code parallelismOverrides} in ConfigMap {@code
 * autoscaler-<name>}.
 */
public final class Overrides {
    public static final String PREFIX = "autoscaler-";
    private static final Pattern ENTRY =
            Pattern.compile("\\s*([0-9a-fA-F]{1,64}):([1-9]\\d{0,4})\\s*");

    private Overrides() {}

    /**
     * Parallelism by vertex id; an entry that can't be read is left out, as if nothing were wanted
     * of its vertex.
     */
    public static Map<String, Integer> of(Optional<ConfigMap> map) {
        Map<String, Integer> overrides = new TreeMap<>();
        String text =
                map.flatMap(found -> Optional.ofNullable(found.getData()))
                        .flatMap(data -> Optional.ofNullable(data.get("parallelismOverrides")))
                        .orElse("");
        for (String entry : text.split(",", -1)) {
            Matcher matcher = ENTRY.matcher(entry);
            if (matcher.matches()) {
                overrides.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
            }
        }
        return overrides;
    }
}
