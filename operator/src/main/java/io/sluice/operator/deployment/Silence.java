// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.util.Optional;

/** Why nothing is known of what a JobManager was asked. */
public enum Silence {
    /** No answer came, or none that says anything. */
    NO_ANSWER,

    /** It answered with more than is read; it is asked again after a pause that grows. */
    TOO_LARGE;

    /**
     * What was known stays known, and nothing is done.
     *
     * @param usual the reason where no answer came
     */
    Decision decided(Pass pass, Reason usual, String message) {
        return switch (this) {
            case NO_ANSWER -> pass.decided(usual, message, Optional.of(pass.soon()));
            case TOO_LARGE ->
                    pass.telling(
                                    Note.warning(
                                            "Job",
                                            Reason.ANSWER_TOO_LARGE.wire(),
                                            pass.attempt().orElse(""),
                                            message))
                            .decided(
                                    Reason.ANSWER_TOO_LARGE,
                                    message,
                                    Optional.of(pass.snapshot().polls().steady()));
        };
    }

    /** Whether a resource whose JobManager is silent in this way is in this state. */
    boolean isToldBy(Reason reason, Reason usual) {
        return switch (this) {
            case NO_ANSWER -> reason == usual;
            case TOO_LARGE -> reason == Reason.ANSWER_TOO_LARGE;
        };
    }
}
