// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.util.List;
import java.util.Optional;

/**
 * How things stand after a pass.
 *
 * @param material what is stored; empty if other replicas were faster each time
 * @param trusted whether the API servers are told to trust it
 * @param absent configurations that are missing for it to be trusted
 */
public record CertState(Optional<CertMaterial> material, boolean trusted, List<String> absent) {
    public CertState {
        absent = List.copyOf(absent);
    }

    /**
     * The leaf to present: the stored one once it is trusted. Until then whoever presents an older
     * one keeps it, as that one may still be.
     */
    public Optional<CertMaterial> toServe(boolean servesAlready) {
        return material.filter(_ -> trusted || !servesAlready);
    }
}
