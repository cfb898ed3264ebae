// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

/** What the commands end with. */
final class End {
    static final int DONE = 0;
    static final int REFUSED = 1;
    static final int UNKNOWN = 2;

    private End() {}
}
