// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.util.Optional;

/** Where the certificates are kept, shared by all replicas. */
public interface CertStore {
    /**
     * What is stored, and the version under which it may be replaced; no version if there is
     * nothing to replace.
     */
    record Loaded(Stored stored, Optional<String> version) {}

    Loaded load();

    /**
     * Replaces what was {@code seen}; false if another replica was faster, whose choice then holds.
     */
    boolean save(CertMaterial material, Loaded seen);
}
