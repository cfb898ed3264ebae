// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The operator's default configuration, which an administrator changes while jobs run. */
public final class SimulatedDefaults {
    private final Map<String, String> first;
    private final Map<String, String> entries;
    private final Map<String, Set<String>> former = new HashMap<>();
    private DefaultConfiguration now;

    /**
     * @param first what it begins with
     */
    public SimulatedDefaults(Map<String, String> first) {
        this.first = Map.copyOf(first);
        entries = new TreeMap<>(first);
        now = new DefaultConfiguration(new FlinkConfiguration(entries));
        first.forEach(this::remember);
    }

    private void remember(String key, String value) {
        former.computeIfAbsent(key, _ -> new TreeSet<>()).add(value);
    }

    public DefaultConfiguration now() {
        return now;
    }

    /** Sets an entry, or has it as it was in the beginning if it is that already. */
    public void toggle(String key, String value) {
        if (!entries.remove(key, value)) {
            entries.put(key, value);
            remember(key, value);
        } else if (first.containsKey(key)) {
            entries.put(key, first.get(key));
        }
        now = new DefaultConfiguration(new FlinkConfiguration(entries));
    }

    /** All values that an entry has ever had. */
    public Set<String> ever(String key) {
        return former.getOrDefault(key, Set.of());
    }

    public void remove(String key) {
        entries.remove(key);
        now = new DefaultConfiguration(new FlinkConfiguration(entries));
    }

    /** What a resource with this spec is to go by: its own entry, else the administrator's. */
    public Optional<String> option(JsonNode spec, String key) {
        return Optional.of(spec.path("flinkConfiguration").path(key).asText())
                .filter(text -> !text.isEmpty())
                .or(() -> Optional.ofNullable(entries.get(key)));
    }

    public boolean isOn(JsonNode spec, String key) {
        return option(spec, key).filter("true"::equals).isPresent();
    }
}
