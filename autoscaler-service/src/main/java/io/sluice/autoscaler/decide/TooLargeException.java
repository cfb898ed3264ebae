// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.io.IOException;

/** What is stored of a job is larger than anything that the service itself would store. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    TooLargeException(String message) {
        super(message);
    }
}
