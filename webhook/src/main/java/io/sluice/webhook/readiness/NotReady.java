// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.readiness;

/** A verdict was asked for before the process had everything that it needs to make one. */
public final class NotReady extends RuntimeException {
    public NotReady() {
        super("not ready");
    }
}
