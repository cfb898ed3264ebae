// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How things stand after a pass.
 *
 * @param at when that was
 * @param material what is stored; empty if other replicas were faster each time
 * @param trusted whether the API servers are told to trust it
 * @param settled whether they have been for so long that all of them know
 * @param absent configurations that are missing for it to be trusted
 */
public record CertState(
        Instant at,
        Optional<CertMaterial> material,
        boolean trusted,
        boolean settled,
        List<String> absent) {
    public CertState {
        absent = List.copyOf(absent);
    }

    /** What to present where nothing is presented yet. */
    public Optional<CertMaterial> toServe() {
        return material;
    }

    /**
     * What to present in place of {@code shown}: what is stored, once every API server knows of it.
     * One that no longer holds is replaced as soon as they are told.
     */
    public Optional<CertMaterial> toServe(X509Certificate shown) {
        return material.filter(_ -> trusted).filter(stored -> settled || !stored.trusts(shown, at));
    }
}
