// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.cli.cluster.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a FlinkDeployment or FlinkSessionJob says of itself. Pure. */
final class JobText {
    private static final String JOB = "/jobStatus/state";
    private static final Set<String> BROKEN = Set.of("FAILED", "ROLLED_BACK");
    private static final Set<String> ENDED_BADLY = Set.of("FAILED", "CANCELED");
    private static final Set<String> GONE = Set.of("MISSING", "ERROR");
    private static final Set<String> AT_REST = Set.of("STABLE", "SUSPENDED");

    private JobText() {}

    static KindText of(StatusView view) {
        List<String> sentences = new ArrayList<>();
        sentences.addAll(states(view));
        view.holding("ScalingHeld")
                .ifPresent(
                        held -> sentences.add("The autoscaler does not scale: " + held.message()));
        String error = view.text("/error");
        if (!error.isEmpty()) {
            sentences.add("The last error: " + StatusError.text(error));
        }
        return new KindText(sentences, ofApache(view));
    }

    private static List<String> states(StatusView view) {
        List<String> parts = new ArrayList<>();
        add(parts, "lifecycle state ", view.text("/lifecycleState"));
        add(parts, "JobManager ", view.text("/jobManagerDeploymentStatus"));
        add(parts, "job ", view.text(JOB));
        add(parts, "job id ", view.text("/jobStatus/jobId"));
        return parts.isEmpty()
                ? List.of()
                : List.of("In the status: " + String.join(", ", parts) + ".");
    }

    private static void add(List<String> parts, String what, String value) {
        if (!value.isEmpty()) {
            parts.add(what + value);
        }
    }

    /** Of the first fields that say enough. Old releases write no lifecycle state. */
    private static Verdict ofApache(StatusView view) {
        String lifecycle = view.text("/lifecycleState");
        String job = view.text(JOB);
        boolean isSuspended = lifecycle.equals("SUSPENDED");
        boolean isStuck =
                !view.text("/error").isEmpty()
                        || BROKEN.contains(lifecycle)
                        || ENDED_BADLY.contains(job)
                        || (!isSuspended
                                && GONE.contains(view.text("/jobManagerDeploymentStatus"))
                                && !job.equals("FINISHED"));
        if (isStuck) {
            return Verdict.STALLED;
        }
        boolean isReady =
                lifecycle.isEmpty()
                        ? job.equals("RUNNING") || job.equals("FINISHED")
                        : AT_REST.contains(lifecycle);
        return isReady ? Verdict.READY : Verdict.AT_WORK;
    }
}
