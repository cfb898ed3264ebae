// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

/** Asked for a verdict before there was what one is made from. */
final class NotReady extends RuntimeException {
    NotReady() {
        super("not ready");
    }
}
