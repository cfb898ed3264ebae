// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

/** Limits that no answer of an ordinary JobManager reaches. */
final class UsualLimits {
    static final AnswerLimits ANSWERS =
            new AnswerLimits(
                    8 << 20, 1 << 20, 32 << 20, 10_000, 10_000, 100, 32 << 10, 10_000, 10_000,
                    10_000, 1_000_000, 1 << 20);

    static final HttpLimits HTTP = HttpLimits.of(ANSWERS);

    private UsualLimits() {}
}
