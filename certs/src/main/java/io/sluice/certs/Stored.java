// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

/** What the Secret holds. */
public sealed interface Stored {
    record Missing() implements Stored {}

    /** Something is there that cannot be used; {@code why} never quotes it. */
    record Broken(String why) implements Stored {}

    record Present(CertMaterial material) implements Stored {}
}
