// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the autoscaler service asks for, in ConfigMap {@code autoscaler-<name>}
 * (docs/contract/autoscaler.md, sections 1, 7 and 8). It becomes a part of the spec, is compared
 * with the last reconciled spec like all of that, and stays on record with it.
 *
 * <p>A half of a blue/green pair that has no such ConfigMap yet goes by its {@link
 * io.sluice.api.status.bluegreen.StartOverrides}.
 *
 * @param parallelism of single vertices
 * @param options of Flink's memory that are to be set
 * @param removed options of Flink's memory that are to go
 * @param hold the change that the autoscaler would make and does not; empty if there is none
 */
public record AutoscalerOverrides(
        ParallelismOverrides parallelism,
        Map<String, String> options,
        Set<String> removed,
        Optional<Hold> hold) {
    public static final String PREFIX = "autoscaler-";

    private static final String PARALLELISM = "parallelismOverrides";
    private static final String OPTIONS = "configOverrides";
    private static final String HOLD = "governorHold";
    private static final Pattern HOLD_TEXT =
            Pattern.compile("([A-Z][A-Z_]{2,40}): (.+)", Pattern.DOTALL);
    private static final String MEMORY_OPTIONS = "taskmanager.memory.";
    private static final String TOTAL = FlinkOptions.TASK_MANAGER_MEMORY.key();

    /**
     * The keys of the ConfigMap that are read, with the characters that each may have: the
     * autoscaler writes a handful of options. The overrides, of some 2,500 vertices, go into the
     * status.
     */
    private static final Map<String, Integer> LONGEST =
            Map.of(OPTIONS, 64 * 1024, PARALLELISM, 100_000, HOLD, 4096);

    /** The autoscaler's options are two deep. */
    private static final int DEEPEST = 8;

    private static final YAMLMapper YAML =
            new YAMLMapper(
                    YAMLFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(DEEPEST)
                                            .build())
                            .build());

    /**
     * Why the autoscaler leaves the parallelism as it is, although it would change it.
     *
     * @param reason in the form of a condition's reason
     * @param message for people
     */
    public record Hold(String reason, String message) {
        private static Optional<Hold> parse(String text) {
            Matcher parts = HOLD_TEXT.matcher(text);
            return parts.matches()
                    ? Optional.of(new Hold(camelCase(parts.group(1)), parts.group(2)))
                    : Optional.empty();
        }

        private static String camelCase(String constant) {
            return Arrays.stream(constant.split("_"))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining());
        }
    }

    public AutoscalerOverrides {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        removed = Collections.unmodifiableSet(new LinkedHashSet<>(removed));
    }

    /**
     * Returns the texts of the ConfigMap that are read. Anyone who may edit ConfigMaps of the
     * namespace can write this one: what is longer than anything that the autoscaler writes is not
     * read, and need not be kept either.
     *
     * @param data null if it has none
     */
    public static Map<String, String> readable(@Nullable Map<String, String> data) {
        Map<String, String> kept = new HashMap<>();
        LONGEST.forEach(
                (key, longest) ->
                        Optional.ofNullable(data)
                                .flatMap(all -> Optional.ofNullable(all.get(key)))
                                .filter(text -> text.length() <= longest)
                                .ifPresent(text -> kept.put(key, text)));
        return kept;
    }

    /**
     * Whether the ConfigMap is not of a former resource of the same kind and name: then the garbage
     * collector is about to delete it.
     */
    public static boolean isOf(HasMetadata resource, ConfigMap map) {
        return map.getMetadata().getOwnerReferences().stream()
                .filter(owner -> resource.getKind().equals(owner.getKind()))
                .filter(owner -> resource.getMetadata().getName().equals(owner.getName()))
                .allMatch(owner -> owner.getUid().equals(resource.getMetadata().getUid()));
    }

    /** Reads what can be read; the rest is as if nobody had asked for it. */
    public static AutoscalerOverrides of(Optional<ConfigMap> map) {
        return of(map.flatMap(found -> Optional.ofNullable(found.getData())).orElseGet(Map::of));
    }

    /** Reads what can be read of entries that are named as those of the ConfigMap. */
    public static AutoscalerOverrides of(Map<String, String> entries) {
        Map<String, String> data = readable(entries);
        JsonNode memory = yaml(data.getOrDefault(OPTIONS, ""));
        Map<String, String> options = new HashMap<>();
        memory.path("overrides")
                .properties()
                .forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        Set<String> removed = new HashSet<>();
        memory.path("removals").forEach(key -> removed.add(key.asText()));
        // Nothing but memory is tuned: who may write this ConfigMap must not set anything else.
        options.keySet().removeIf(key -> !key.startsWith(MEMORY_OPTIONS));
        removed.removeIf(key -> !key.startsWith(MEMORY_OPTIONS));
        return new AutoscalerOverrides(
                ParallelismOverrides.of(data.getOrDefault(PARALLELISM, "")),
                options,
                removed,
                Hold.parse(data.getOrDefault(HOLD, "")));
    }

    /**
     * What a resource runs with, as if it were what is asked for: with it, {@link #in} changes
     * nothing that the autoscaler asked for before.
     *
     * @param recorded the spec that was reconciled last
     * @param wanted the spec without what the autoscaler asks for
     */
    public AutoscalerOverrides asIn(FlinkDeploymentSpec recorded, SpecView wanted) {
        Map<String, String> own =
                wanted instanceof SpecView.Valid(var spec, _)
                        ? spec.flinkConfiguration().entries()
                        : Map.of();
        Map<String, String> tuned = new HashMap<>(recorded.flinkConfiguration().entries());
        tuned.keySet().removeIf(key -> !key.startsWith(MEMORY_OPTIONS));
        Set<String> gone = new HashSet<>(own.keySet());
        gone.removeIf(key -> !key.startsWith(MEMORY_OPTIONS) || tuned.containsKey(key));
        tuned.entrySet().removeIf(entry -> entry.getValue().equals(own.get(entry.getKey())));
        return new AutoscalerOverrides(
                ParallelismOverrides.in(recorded.flinkConfiguration()), tuned, gone, hold);
    }

    /**
     * The hold of a resource; empty where the autoscaler is not switched on for it.
     *
     * @param effective the spec's configuration with all defaults
     */
    public Optional<Hold> holdOf(
            SpecView view, Function<FlinkDeploymentSpec, FlinkConfiguration> effective) {
        return hold.filter(
                _ ->
                        view instanceof SpecView.Valid(var spec, _)
                                && new Options(effective.apply(spec))
                                        .get(AutoscalerOptions.ENABLED));
    }

    /**
     * The spec with what is asked for; as it is where the autoscaler is not switched on for it, and
     * where a restart would deploy a version that is no longer supported.
     *
     * @param effective the spec's configuration with all defaults
     */
    public SpecView in(SpecView view, Function<FlinkDeploymentSpec, FlinkConfiguration> effective) {
        boolean nothing = parallelism.isEmpty() && options.isEmpty() && removed.isEmpty();
        if (nothing
                || !(view instanceof SpecView.Valid(var spec, var raw))
                || spec.job().isEmpty()
                || spec.flinkVersion().filter(version -> !version.isSupported()).isPresent()) {
            return view;
        }
        FlinkConfiguration whole = effective.apply(spec);
        Options switches = new Options(whole);
        if (!switches.get(AutoscalerOptions.ENABLED)) {
            return view;
        }
        ObjectNode wanted = raw.deepCopy();
        ObjectNode configuration = wanted.withObjectProperty("flinkConfiguration");
        ParallelismOverrides own = ParallelismOverrides.in(spec.flinkConfiguration());
        Map<String, Integer> asked = new HashMap<>(parallelism.byVertex());
        switches.get(AutoscalerOptions.EXCLUDED_VERTICES).forEach(asked::remove);
        if (!asked.isEmpty()) {
            FlinkConfiguration.put(configuration, ParallelismOverrides.KEY, own.with(asked).text());
        }
        if (tuneMemory(whole)) {
            removed.forEach(key -> FlinkConfiguration.remove(configuration, key));
            options.forEach((key, value) -> FlinkConfiguration.put(configuration, key, value));
            Optional.ofNullable(options.get(TOTAL))
                    .flatMap(MemorySize::parse)
                    .ifPresent(total -> giveTaskManagers(wanted, total));
        }
        return new SpecView.Valid(FlinkDeploymentSpec.parse(wanted, "spec").value(), wanted);
    }

    /** Whether memory is tuned as well. */
    public static boolean tuneMemory(FlinkConfiguration effective) {
        return new Options(effective).get(AutoscalerOptions.MEMORY_TUNING);
    }

    /** A session job has no TaskManagers of its own. */
    public AutoscalerOverrides parallelismOnly() {
        return new AutoscalerOverrides(parallelism, Map.of(), Set.of(), hold);
    }

    /** Where the spec says how large a TaskManager is; what it may take at the most goes along. */
    private static void giveTaskManagers(ObjectNode spec, MemorySize total) {
        String bytes = Long.toString(total.bytes());
        JsonNode requests = spec.at("/taskManager/resources/requests");
        JsonNode limits = spec.at("/taskManager/resources/limits");
        if (requests instanceof ObjectNode request && request.has("memory")) {
            Optional<MemorySize> before = MemorySize.parse(request.get("memory").asText());
            if (limits instanceof ObjectNode limit && limit.has("memory")) {
                Optional<MemorySize> most = MemorySize.parse(limit.get("memory").asText());
                before.filter(size -> size.bytes() > 0)
                        .flatMap(size -> most.map(it -> inRatio(total, size, it)))
                        .ifPresent(same -> limit.put("memory", Long.toString(same)));
            }
            request.put("memory", bytes);
        } else if (limits instanceof ObjectNode limit && limit.has("memory")) {
            limit.put("memory", bytes);
        } else if (spec.at("/taskManager/resource") instanceof ObjectNode resource
                && resource.has("memory")) {
            resource.put("memory", bytes);
        }
    }

    private static long inRatio(MemorySize total, MemorySize request, MemorySize limit) {
        return BigDecimal.valueOf(total.bytes())
                .multiply(BigDecimal.valueOf(limit.bytes()))
                .divide(BigDecimal.valueOf(request.bytes()), RoundingMode.CEILING)
                .longValue();
    }

    private static JsonNode yaml(String text) {
        try {
            return text.isEmpty() ? YAML.missingNode() : YAML.readTree(text);
        } catch (JsonProcessingException broken) {
            return YAML.missingNode();
        }
    }
}
