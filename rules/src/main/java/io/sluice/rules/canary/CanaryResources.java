// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.canary;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.CheckOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which resources are canaries. A canary is never deployed and is not checked, so the label alone
 * makes none: the operator's configuration says where canaries may be.
 *
 * @param places each a namespace, or {@code namespace/name} for a single resource
 */
public record CanaryResources(Set<String> places) {
    /** The label of a canary, whose value is {@code true}. */
    public static final String LABEL = "flink.apache.org/canary";

    public CanaryResources {
        places = Collections.unmodifiableSet(new LinkedHashSet<>(places));
    }

    /**
     * Reads the option.
     *
     * @param home the namespace of the release
     */
    public static CanaryResources of(DefaultConfiguration configuration, String home) {
        List<String> listed = new Options(configuration.own()).get(CheckOptions.CANARY_RESOURCES);
        return new CanaryResources(
                listed.isEmpty()
                        ? Set.of(home)
                        : Collections.unmodifiableSet(new LinkedHashSet<>(listed)));
    }

    /** Whether a resource is a canary: labelled, and where the configuration lets canaries be. */
    public boolean contains(String namespace, String name, Map<String, String> labels) {
        return isLabelled(labels) && isPlace(namespace, name);
    }

    /** Whether the labels ask for a canary. */
    public static boolean isLabelled(Map<String, String> labels) {
        return labels.getOrDefault(LABEL, "").equals("true");
    }

    /** What is wrong with the label of a resource; empty if it has none, or may have it. */
    public Optional<FieldProblem> problem(
            String namespace, String name, Map<String, String> labels) {
        return isLabelled(labels) && !isPlace(namespace, name)
                ? Optional.of(
                        new FieldProblem(
                                "metadata.labels[" + LABEL + "]",
                                "true",
                                "is for canaries, which may be in "
                                        + String.join(", ", new TreeSet<>(places))
                                        + " only; remove the label, or ask for '"
                                        + namespace
                                        + "/"
                                        + name
                                        + "' to be listed in "
                                        + CheckOptions.CANARY_RESOURCES.key()))
                : Optional.empty();
    }

    private boolean isPlace(String namespace, String name) {
        return places.contains(namespace) || places.contains(namespace + "/" + name);
    }
}
