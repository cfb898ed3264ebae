// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

/** Why nothing is known of what a JobManager was asked. */
public enum NoAnswer {
    /** No answer came, or none that says anything. */
    NO_ANSWER,

    /** It answered with more than is read; it is asked again after a pause that grows. */
    TOO_LARGE;

    /** Whether a resource whose JobManager is silent in this way is in this state. */
    public boolean isToldBy(Reason reason, Reason usual) {
        return switch (this) {
            case NO_ANSWER -> reason == usual;
            case TOO_LARGE -> reason == Reason.ANSWER_TOO_LARGE;
        };
    }
}
