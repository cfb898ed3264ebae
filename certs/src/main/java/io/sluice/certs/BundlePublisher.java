// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

/** Where API servers read whom to trust. */
public interface BundlePublisher {
    Publication read();

    /**
     * Writes {@code bundle} wherever {@code seen} differs from it. Whoever has written since then
     * wins, so that a replica with an old view never takes back a newer bundle.
     */
    void publish(String bundle, Publication seen);
}
