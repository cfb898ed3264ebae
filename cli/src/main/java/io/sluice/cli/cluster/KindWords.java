// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What kubectl calls the kinds. */
public final class KindWords {
    /** Besides their names in the singular and plural. */
    private static final Map<String, ResourceKind> SHORT =
            Map.of(
                    "flinkdep", ResourceKind.FLINK_DEPLOYMENT,
                    "sessionjob", ResourceKind.FLINK_SESSION_JOB,
                    "flinkbgdep", ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                    "flinksnp", ResourceKind.FLINK_STATE_SNAPSHOT);

    private KindWords() {}

    /**
     * The kind that a word names.
     *
     * @param word such as {@code flinkdep} or {@code flinkdeployments.flink.apache.org}
     */
    public static Optional<ResourceKind> kind(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        int dot = lower.indexOf('.');
        String type = dot < 0 ? lower : lower.substring(0, dot);
        String group = dot < 0 ? ApiVersion.GROUP : lower.substring(dot + 1);
        if (!group.equals(ApiVersion.GROUP)
                && !group.equals(ApiVersion.VERSION + "." + ApiVersion.GROUP)) {
            return Optional.empty();
        }
        return Optional.ofNullable(SHORT.get(type))
                .or(
                        () ->
                                ResourceKind.WORDS.values().stream()
                                        .filter(
                                                kind ->
                                                        type.equals(kind.plural())
                                                                || kind.plural().equals(type + "s"))
                                        .findFirst());
    }

    /** The word that commands show. */
    public static String word(ResourceKind kind) {
        return switch (kind) {
            case FLINK_DEPLOYMENT -> "flinkdep";
            case FLINK_SESSION_JOB -> "flinksessionjob";
            case FLINK_BLUE_GREEN_DEPLOYMENT -> "flinkbgdep";
            case FLINK_STATE_SNAPSHOT -> "flinksnp";
        };
    }

    /** A resource as kubectl takes it. */
    public static String argument(ResourceKind kind, String name) {
        return word(kind) + "/" + name;
    }
}
