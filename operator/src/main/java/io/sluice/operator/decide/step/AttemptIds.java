// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.StateTrigger;
import io.sluice.manifest.ImageSources;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ObservedState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Ids of attempts and of triggers: derived, never random, so that a repeated reconciliation names
 * the same one, and a new one never re-uses a name.
 */
public final class AttemptIds {
    private static final int BYTES = 16;
    private static final int POD_SUFFIX = 10;

    private AttemptIds() {}

    /** The id of the attempt after {@code previous}: 32 hexadecimal digits. */
    static String id(String uid, long generation, Optional<String> previous) {
        return digits(uid + "/" + generation + "/" + previous.orElse(""));
    }

    /**
     * The id of a session job's attempt after {@code previous}, and of its job. Those of one
     * resource begin alike, so that its jobs can be told from others in Flink's metadata.
     */
    static String ofSessionJob(String uid, long generation, Optional<String> previous) {
        String beginning = AttemptHistory.beginningOfIds(uid);
        return beginning + id(uid, generation, previous).substring(beginning.length());
    }

    /** Names the given try to stop an attempt with a savepoint, by 32 hexadecimal digits. */
    public static String trigger(String uid, long generation, String attempt, int tries) {
        return digits(uid + "/" + generation + "/" + attempt + "/stop/" + tries);
    }

    /**
     * Names the next try to make a savepoint or checkpoint, by 32 hexadecimal digits. A process of
     * the JobManager answers for a name it was given before, so that none is ever used again.
     */
    public static String saving(StepContext context, StateKind kind, StateTrigger before) {
        return digits(
                String.join(
                        "/",
                        context.observed().identity().uid(),
                        context.attempt().orElse(""),
                        kind.word(),
                        before.since().toString(),
                        before.cause(kind),
                        Integer.toString(before.tries() + 1)));
    }

    /**
     * Names a try of a FlinkStateSnapshot, by 32 hexadecimal digits. Another job, another attempt
     * of it and each failure make another name.
     *
     * @param uid of the FlinkStateSnapshot
     * @param failures that were counted before the try
     */
    public static String snapshot(String uid, String jobId, String attempt, int failures) {
        return digits(String.join("/", uid, jobId, attempt, "snapshot", "" + failures));
    }

    /**
     * Names a transition of a FlinkBlueGreenDeployment, by 32 hexadecimal digits.
     *
     * @param uid of the FlinkBlueGreenDeployment
     * @param former the transition before it; empty for the first one
     */
    public static String transition(String uid, long generation, String former) {
        return digits(String.join("/", uid, "" + generation, "transition", former));
    }

    /**
     * Names a try of the savepoint of a transition, by 32 hexadecimal digits.
     *
     * @param transition its id
     * @param tries the try included
     */
    public static String transitionSavepoint(String transition, String jobId, int tries) {
        return digits(String.join("/", transition, jobId, "savepoint", "" + tries));
    }

    /**
     * The name of the pod that pulls the images of the next attempt. A reconciliation that is
     * repeated after a crash derives the same one; other images, another policy, other Secrets and
     * another attempt that is to be replaced make another.
     *
     * @param identity of the FlinkDeployment
     * @param replaced the attempt that runs
     */
    public static String imagePull(
            ObservedState.Identity identity, String replaced, ImageSources wanted) {
        String digits =
                digits(String.join("/", identity.uid(), replaced, "image", wanted.toString()));
        return identity.name() + "-image-pull-" + digits.substring(0, POD_SUFFIX);
    }

    private static String digits(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
