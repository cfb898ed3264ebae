// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.spec.FlinkVersion;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.CheckedOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.OptionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is wrong with the operator's configuration: with an error it is refused as a whole, a
 * warning is told and changes nothing.
 *
 * @param errors one line each: key, value, what to do
 * @param warnings likewise
 */
public record ConfigurationReview(List<String> errors, List<String> warnings) {
    private static final String OVERLAY = DefaultConfiguration.OVERLAYS;
    private static final String NAMESPACE = OVERLAY + DefaultConfiguration.NAMESPACE;
    private static final String VERSION = OVERLAY + DefaultConfiguration.VERSION;

    public ConfigurationReview {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }

    public static ConfigurationReview of(DefaultConfiguration configuration) {
        List<String> errors = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        new TreeMap<>(configuration.base().entries())
                .forEach((key, value) -> look(key, value, errors, warnings));
        warnings.addAll(AnalysisQueries.missing(configuration.own()));
        return new ConfigurationReview(errors, warnings);
    }

    private static void look(String key, String value, List<String> errors, List<String> warnings) {
        String inner = withoutOverlay(key);
        if (inner.isEmpty()) {
            errors.add(
                    key
                            + ": is not an overlay; write "
                            + NAMESPACE
                            + "<namespace>.<key> or "
                            + VERSION
                            + "v1_20+.<key>");
            return;
        }
        String newest = Aliases.newest(inner);
        complaint(newest, value)
                .ifPresent(
                        text ->
                                errors.add(
                                        key + ": '" + SecretKeys.shown(key, value) + "' " + text));
        KnownOptions.meantBy(inner)
                .ifPresent(
                        meant -> warnings.add(key + ": is unknown; did you mean " + meant + "?"));
        boolean isOurs = inner.startsWith(OperatorOption.PREFIX);
        boolean isUnknown =
                isOurs && KnownOptions.meantBy(inner).isEmpty() && !KnownOptions.isKnownKey(inner);
        if (isUnknown) {
            warnings.add(key + ": is unknown and has no effect; remove it");
        }
        InertOptions.instead(inner, value)
                .ifPresent(text -> warnings.add(key + ": has no effect in this version. " + text));
        if (!newest.equals(inner) && isOurs && !isUnknown) {
            warnings.add(key + ": is the older spelling of " + newest + "; use that");
        }
    }

    private static Optional<String> complaint(String key, String value) {
        return DeclaredOptions.of(key)
                .<OptionType<?>>map(OperatorOption::type)
                .or(() -> AutoscalerOptions.number(key).map(Option::type))
                .or(() -> Optional.ofNullable(CheckedOptions.TYPES.get(key)))
                .flatMap(type -> type.complaint(value))
                .or(() -> AnalysisQueries.complaint(key, value));
    }

    /** The key that an overlay sets; empty if it is none though it looks like one. */
    private static String withoutOverlay(String key) {
        if (key.startsWith(NAMESPACE)) {
            String rest = key.substring(NAMESPACE.length());
            return rest.substring(rest.indexOf('.') + 1).equals(rest)
                    ? ""
                    : rest.substring(rest.indexOf('.') + 1);
        }
        if (key.startsWith(VERSION)) {
            return ofVersion(key.substring(VERSION.length()));
        }
        return key.startsWith(OVERLAY) ? "" : key;
    }

    private static String ofVersion(String rest) {
        for (Map.Entry<String, FlinkVersion> each : FlinkVersion.WORDS.entrySet()) {
            for (String word : List.of(each.getKey() + ".", each.getKey() + "+.")) {
                if (rest.startsWith(word)) {
                    return rest.substring(word.length());
                }
            }
        }
        return "";
    }
}
