// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.AnswerLimit;
import java.io.IOException;

/** An answer exceeds a bound, and is not used. */
public final class AnswerTooLarge extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    private final AnswerLimit limit;

    AnswerTooLarge(AnswerLimit limit, String message) {
        super(message + "; see " + limit.setBy());
        this.limit = limit;
    }

    /** Which it is. */
    public AnswerLimit limit() {
        return limit;
    }
}
