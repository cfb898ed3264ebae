// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.PodOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The operator's configuration, which every resource starts from. Lowest first: the files' own
 * entries, those for the namespace, for this Flink version and later ones, for exactly this
 * version, the resource's.
 */
public final class DefaultConfiguration {
    public static final DefaultConfiguration NONE =
            new DefaultConfiguration(FlinkConfiguration.EMPTY);

    private static final int FINGERPRINT_DIGITS = 12;
    private static final String DEFAULTS = "defaults.yaml";
    private static final String NEWER = "config.yaml";
    private static final String OLDER = "flink-conf.yaml";

    /** What the keys of all overlays begin with. */
    static final String OVERLAYS = OperatorOption.PREFIX + "default-configuration.";

    static final String NAMESPACE = "namespace.";
    static final String VERSION = "flink-version.";

    /** What defaults depend on; the namespace is empty if the file says nothing about it. */
    private record Scope(String namespace, Optional<FlinkVersion> version) {}

    /**
     * @param merged every spelling as it was written, for further layers on top
     * @param granted under the newest spelling
     */
    private record Layers(FlinkConfiguration merged, FlinkConfiguration granted) {}

    /** What says how pods are secured: a resource's own entry for one of these has no effect. */
    private static final List<Option<?>> PLATFORMS_OWN =
            List.of(AdmissionOptions.POD_SECURITY, PodOptions.FILL_IN, PodOptions.FIXED_USER);

    private final FlinkConfiguration base;
    private final FlinkConfiguration own;
    private final Set<String> namespaces;

    /** As many as there are namespaces in the file times versions, and no more. */
    private final Map<Scope, Layers> layers = new ConcurrentHashMap<>();

    public DefaultConfiguration(FlinkConfiguration base) {
        this.base = base;
        this.own = new FlinkConfiguration(Aliases.resolve(base.entries(), false));
        this.namespaces =
                base.entries().keySet().stream()
                        .filter(key -> key.startsWith(OVERLAYS + NAMESPACE))
                        .map(key -> key.substring((OVERLAYS + NAMESPACE).length()))
                        .map(key -> key.substring(0, Math.max(0, key.indexOf('.'))))
                        .collect(Collectors.toSet());
    }

    /** The files' entries as they stand. */
    public FlinkConfiguration base() {
        return base;
    }

    /** What our processes go by themselves: the files' entries, under the newest spelling. */
    public FlinkConfiguration own() {
        return own;
    }

    /**
     * Reads a folder, none of whose files has to be there: first {@code defaults.yaml}, which is
     * the chart's own; on top of it the user's, which is {@code flink-conf.yaml} unless that is
     * absent or blank, else {@code config.yaml}, as Flink 1.19 and 1.20 choose. Whatever spelling
     * the user has, it goes before any that the chart has.
     *
     * <p>Reads a file alone, in the older format if it is called {@code flink-conf.yaml}.
     */
    public static DefaultConfiguration load(Path path) {
        try {
            if (Files.isRegularFile(path)) {
                return new DefaultConfiguration(one(path));
            }
            Map<String, String> entries = new HashMap<>(one(path.resolve(DEFAULTS)).entries());
            Path older = path.resolve(OLDER);
            Path users = text(older).isBlank() ? path.resolve(NEWER) : older;
            Aliases.overlay(entries, one(users).entries());
            return new DefaultConfiguration(new FlinkConfiguration(entries));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + path, unreadable);
        }
    }

    /** What a resource with the configuration {@code own} runs with. */
    public FlinkConfiguration effective(
            String namespace, Optional<FlinkVersion> version, FlinkConfiguration own) {
        return effective(namespace, version, FlinkConfiguration.EMPTY, own);
    }

    /** What a session job with the configuration {@code own} runs with on {@code cluster}. */
    public FlinkConfiguration effective(
            String namespace,
            Optional<FlinkVersion> version,
            FlinkConfiguration cluster,
            FlinkConfiguration own) {
        FlinkConfiguration platforms = layers(namespace, version).merged();
        Map<String, String> merged = new HashMap<>(platforms.entries());
        Aliases.overlay(merged, cluster.entries());
        Aliases.overlay(merged, own.entries());
        for (Option<?> option : PLATFORMS_OWN) {
            merged.remove(option.key());
            platforms.get(option.key()).ifPresent(value -> merged.put(option.key(), value));
        }
        return resolved(merged, version);
    }

    /** What the operator's configuration alone says for a resource there. */
    public FlinkConfiguration granted(String namespace, Optional<FlinkVersion> version) {
        return layers(namespace, version).granted();
    }

    private static FlinkConfiguration resolved(
            Map<String, String> merged, Optional<FlinkVersion> version) {
        boolean nestedFile = version.filter(v -> v.isAtLeast(FlinkVersion.V2_0)).isPresent();
        return new FlinkConfiguration(Aliases.resolve(merged, !nestedFile));
    }

    private Layers layers(String namespace, Optional<FlinkVersion> version) {
        return layers.computeIfAbsent(
                new Scope(namespaces.contains(namespace) ? namespace : "", version), this::merge);
    }

    private Layers merge(Scope scope) {
        Map<String, String> merged = new HashMap<>(base.entries());
        merged.keySet().removeIf(key -> key.startsWith(OVERLAYS));
        if (!scope.namespace().isEmpty()) {
            Aliases.overlay(merged, overlay(NAMESPACE + scope.namespace() + "."));
        }
        scope.version()
                .ifPresent(
                        version -> {
                            for (FlinkVersion each : FlinkVersion.WORDS.sequencedValues()) {
                                if (version.isAtLeast(each)) {
                                    Aliases.overlay(merged, overlay(VERSION + each.wire() + "+."));
                                }
                            }
                            Aliases.overlay(merged, overlay(VERSION + version.wire() + "."));
                        });
        return new Layers(new FlinkConfiguration(merged), resolved(merged, scope.version()));
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

    private static FlinkConfiguration one(Path file) throws IOException {
        return file.endsWith(OLDER) ? flat(text(file)) : nested(file, text(file));
    }

    /** Empty if there is no such file. */
    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static FlinkConfiguration nested(Path file, String text) {
        try {
            JsonNode document = new YAMLMapper().readTree(text);
            if (document.isObject() || document.isMissingNode() || document.isNull()) {
                return FlinkConfiguration.of(document);
            }
        } catch (JsonProcessingException notYaml) {
            throw new IllegalArgumentException(
                    file + ": is not YAML; " + notYaml.getOriginalMessage(), notYaml);
        }
        throw new IllegalArgumentException(file + ": must hold 'key: value' entries");
    }

    private static FlinkConfiguration flat(String text) {
        Map<String, String> entries = new HashMap<>();
        text.lines()
                .map(line -> line.replaceFirst("(^|\\s)#.*", "").strip())
                .forEach(
                        line -> {
                            int colon = line.indexOf(": ");
                            if (colon > 0) {
                                entries.put(
                                        line.substring(0, colon).strip(),
                                        line.substring(colon + 2).strip());
                            }
                        });
        return new FlinkConfiguration(entries);
    }

    /**
     * Twelve hexadecimal digits that two configurations share only if they are the same; says
     * nothing of what is in it.
     */
    public String fingerprint() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(base.entries())
                    .forEach(
                            (key, value) -> {
                                digest.update(key.getBytes(StandardCharsets.UTF_8));
                                digest.update((byte) 0);
                                digest.update(value.getBytes(StandardCharsets.UTF_8));
                                digest.update((byte) 0);
                            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DefaultConfiguration that && base.equals(that.base);
    }

    @Override
    public int hashCode() {
        return base.hashCode();
    }
}
