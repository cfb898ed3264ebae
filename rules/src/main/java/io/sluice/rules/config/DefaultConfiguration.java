// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's configuration, which every resource starts from. Lowest first: the file's own
 * entries, those for the namespace, for this Flink version and later ones, for exactly this
 * version, the resource's.
 */
public record DefaultConfiguration(FlinkConfiguration base) {
    public static final DefaultConfiguration NONE =
            new DefaultConfiguration(FlinkConfiguration.EMPTY);

    private static final String OVERLAYS = "kubernetes.operator.default-configuration.";

    /** Reads {@code config.yaml}, else the older {@code flink-conf.yaml}; neither means none. */
    public static DefaultConfiguration load(Path folder) {
        Path yaml = folder.resolve("config.yaml");
        Path older = folder.resolve("flink-conf.yaml");
        try {
            if (Files.exists(yaml)) {
                return new DefaultConfiguration(nested(yaml));
            }
            return Files.exists(older) ? new DefaultConfiguration(flat(older)) : NONE;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + folder, unreadable);
        }
    }

    /** What a resource with the configuration {@code spec} runs with. */
    public FlinkConfiguration effective(
            String namespace, Optional<FlinkVersion> version, FlinkConfiguration spec) {
        Map<String, String> merged = new HashMap<>(base.entries());
        merged.keySet().removeIf(key -> key.startsWith(OVERLAYS));
        merged = Aliases.overlay(merged, overlay("namespace." + namespace + "."));
        if (version.isPresent()) {
            for (FlinkVersion each : FlinkVersion.WORDS.sequencedValues()) {
                if (version.get().isAtLeast(each)) {
                    merged =
                            Aliases.overlay(merged, overlay("flink-version." + each.wire() + "+."));
                }
            }
            merged =
                    Aliases.overlay(merged, overlay("flink-version." + version.get().wire() + "."));
        }
        merged = Aliases.overlay(merged, spec.entries());
        boolean nestedFile = version.filter(v -> v.isAtLeast(FlinkVersion.V2_0)).isPresent();
        return new FlinkConfiguration(Aliases.resolve(merged, !nestedFile));
    }

    private Map<String, String> overlay(String name) {
        String prefix = OVERLAYS + name;
        Map<String, String> entries = new HashMap<>();
        base.entries()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(prefix)) {
                                entries.put(key.substring(prefix.length()), value);
                            }
                        });
        return entries;
    }

    private static FlinkConfiguration nested(Path file) throws IOException {
        try {
            JsonNode document = new YAMLMapper().readTree(Files.readString(file));
            if (document.isObject() || document.isMissingNode() || document.isNull()) {
                return FlinkConfiguration.of(document);
            }
        } catch (JsonProcessingException notYaml) {
            throw new IllegalArgumentException(
                    file + ": is no YAML; " + notYaml.getOriginalMessage(), notYaml);
        }
        throw new IllegalArgumentException(file + ": must hold 'key: value' entries");
    }

    private static FlinkConfiguration flat(Path file) throws IOException {
        Map<String, String> entries = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String text = line.replaceFirst("(^|\\s)#.*", "").strip();
            int colon = text.indexOf(": ");
            if (colon > 0) {
                entries.put(text.substring(0, colon).strip(), text.substring(colon + 2).strip());
            }
        }
        return new FlinkConfiguration(entries);
    }
}
