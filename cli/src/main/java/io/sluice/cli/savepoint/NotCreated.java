// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import java.io.Serial;

/** No FlinkStateSnapshot was created; the message says why and what to do. */
final class NotCreated extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotCreated(String message) {
        super(message);
    }
}
