// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what an API server, or a process that watches it, is about to do. */
public final class Soon {
    /** Far more than it takes on a machine that does something else as well. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Soon() {}

    /**
     * Returns once {@code assertion} holds. What it reads may not be there yet.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if it does not hold in two minutes
     */
    public static void soon(ThrowingRunnable assertion) {
        await().atMost(LONGEST).ignoreExceptions().untilAsserted(assertion);
    }
}
