// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import java.io.IOException;

/** The stored state of a job is larger than the service itself ever stores. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    TooLargeException(String message) {
        super(message);
    }
}
