// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import java.io.Serial;

/** Nothing was changed, or could be said; the message says why and what to do. */
final class NotDone extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotDone(String message) {
        super(message);
    }
}
