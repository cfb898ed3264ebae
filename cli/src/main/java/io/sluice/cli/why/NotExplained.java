// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import java.io.Serial;

/** The resource could not be read; the message says why and what to do. */
final class NotExplained extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotExplained(String message) {
        super(message);
    }
}
