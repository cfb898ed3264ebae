// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import io.sluice.webhook.readiness.Part;

/** Where the served certificate comes from: our own rotator, or files that others keep. */
public sealed interface Certificates extends Part permits CertLoop, CertFiles {
    void start();

    /** False if nothing has looked after the certificate for minutes. */
    boolean isAlive();
}
