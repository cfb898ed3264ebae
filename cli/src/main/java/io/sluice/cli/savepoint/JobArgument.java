// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.ResourceArgument;
import java.util.List;
import java.util.Optional;

/**
 * The job that the command line names.
 *
 * @param kind empty if only the name is given
 */
record JobArgument(Optional<ResourceKind> kind, String name) {
    /**
     * @param text {@code NAME} or {@code KIND/NAME}, as kubectl takes it
     * @param isSessionJob whether {@code --session-job} is given
     * @throws NotCreated if it names no job
     */
    static JobArgument of(String text, boolean isSessionJob) {
        ResourceArgument argument =
                ResourceArgument.of(text)
                        .orElseThrow(
                                () ->
                                        new NotCreated(
                                                "JOB: '"
                                                        + text
                                                        + "' names no job; write NAME,"
                                                        + " flinkdep/NAME or"
                                                        + " flinksessionjob/NAME"));
        argument.kind().ifPresent(it -> check(it, text, isSessionJob));
        return new JobArgument(
                isSessionJob ? Optional.of(ResourceKind.FLINK_SESSION_JOB) : argument.kind(),
                argument.name());
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
}
