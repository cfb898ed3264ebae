// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

/** Something named on the command line cannot be read; the message says what and why. */
public final class Unreadable extends RuntimeException {
    public Unreadable(String message) {
        super(message);
    }
}
