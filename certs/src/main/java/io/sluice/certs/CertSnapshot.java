// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.time.Instant;
import java.util.Optional;

/**
 * All that {@link CertPlan} looks at.
 *
 * @param trustedSince since when the stored bundle has been seen in every webhook configuration;
 *     empty if it is not there now
 */
public record CertSnapshot(
        Instant now, CertPolicy policy, Stored stored, Optional<Instant> trustedSince) {

    /** Whether the stored bundle has been published for so long that all API servers know it. */
    boolean isSettled() {
        return trustedSince.filter(since -> !now.isBefore(since.plus(policy.settle()))).isPresent();
    }
}
