// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.readiness;

/** Asked for a verdict before there was what one is made from. */
public final class NotReady extends RuntimeException {
    public NotReady() {
        super("not ready");
    }
}
