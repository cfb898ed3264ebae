// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

/** Something named on the command line cannot be read; the message says what and why. */
final class Unreadable extends RuntimeException {
    Unreadable(String message) {
        super(message);
    }
}
