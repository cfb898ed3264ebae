// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The job that the command line names.
 *
 * @param kind empty if only the name is given
 */
record JobArgument(Optional<ResourceKind> kind, String name) {
    /** What kubectl calls the kinds, besides their names in the singular and plural. */
    private static final Map<String, ResourceKind> SHORT =
            Map.of(
                    "flinkdep", ResourceKind.FLINK_DEPLOYMENT,
                    "sessionjob", ResourceKind.FLINK_SESSION_JOB,
                    "flinkbgdep", ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                    "flinksnp", ResourceKind.FLINK_STATE_SNAPSHOT);

    /**
     * @param text {@code NAME} or {@code KIND/NAME}, as kubectl takes it
     * @param isSessionJob whether {@code --session-job} is given
     * @throws NotCreated if it names no job
     */
    static JobArgument of(String text, boolean isSessionJob) {
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        Optional<ResourceKind> kind = slash < 0 ? Optional.empty() : kind(text.substring(0, slash));
        if (name.isBlank() || name.contains("/") || (slash >= 0 && kind.isEmpty())) {
            throw new NotCreated(
                    "JOB: '"
                            + text
                            + "' names no job; write NAME, flinkdep/NAME or flinksessionjob/NAME");
        }
        kind.ifPresent(it -> check(it, text, isSessionJob));
        return new JobArgument(
                isSessionJob ? Optional.of(ResourceKind.FLINK_SESSION_JOB) : kind, name);
    }

    /** The kinds that a job of the name may be of. */
    List<ResourceKind> kinds() {
        return kind.map(List::of)
                .orElse(List.of(ResourceKind.FLINK_DEPLOYMENT, ResourceKind.FLINK_SESSION_JOB));
    }

    private static void check(ResourceKind kind, String text, boolean isSessionJob) {
        switch (kind) {
            case FLINK_SESSION_JOB -> {}
            case FLINK_DEPLOYMENT -> {
                if (isSessionJob) {
                    throw new NotCreated(
                            "--session-job: JOB is '"
                                    + text
                                    + "', a FlinkDeployment; leave out one of the two");
                }
            }
            case FLINK_BLUE_GREEN_DEPLOYMENT ->
                    throw new NotCreated(
                            "JOB: '"
                                    + text
                                    + "' is a pair of FlinkDeployments; name the one that runs, as"
                                    + " kubectl get flinkdep shows it");
            case FLINK_STATE_SNAPSHOT ->
                    throw new NotCreated(
                            "JOB: '"
                                    + text
                                    + "' is no job, but a savepoint or checkpoint of one; name a"
                                    + " FlinkDeployment or FlinkSessionJob");
        }
    }

    private static Optional<ResourceKind> kind(String word) {
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
}
