// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import java.util.List;

/** Something that a trial does has failed; the message says what, and the details what to do. */
public final class TrialFailure extends RuntimeException {
    private final List<String> details;

    public TrialFailure(String message, List<String> details) {
        super(message);
        this.details = List.copyOf(details);
    }

    public TrialFailure(String message) {
        this(message, List.of());
    }

    /** Lines for people. */
    public List<String> details() {
        return details;
    }
}
