// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.readiness;

import java.util.Optional;

/** Something the process needs before it can answer, and that gets ready by itself. */
public interface Part extends AutoCloseable {
    /** Says in one line what is missing and what to do about it; empty once it is there. */
    Optional<String> missing();

    @Override
    void close();
}
