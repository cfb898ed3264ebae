// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.time.Instant;

/**
 * The next step towards a leaf that is fresh and trusted everywhere.
 *
 * <pre>
 *   Issue ──▶ PublishBundle ──▶ Keep ──(2/3 of the leaf's life)──▶ RenewLeaf ──▶ Keep
 *                  ▲              └──(2/3 of the authority's)──▶ RotateCa
 *                  └──────────────── bundle is now new + old ◀──────┘
 *                  then, once settled: RenewLeaf, signed by the new authority
 * </pre>
 *
 * At no point does a stored leaf lack a published authority, unless there was nothing to save.
 */
public sealed interface CertPlan {
    /** Nothing to do before {@code until}. */
    record Keep(Instant until) implements CertPlan {}

    /** Nothing usable is stored: make an authority and a leaf. */
    record Issue(String why) implements CertPlan {}

    /** Make a new leaf, signed by the newest authority. */
    record RenewLeaf() implements CertPlan {}

    /** Put a new authority beside the old one; the leaf stays. */
    record RotateCa() implements CertPlan {}

    /** Tell the API servers whom to trust. */
    record PublishBundle() implements CertPlan {}

    static CertPlan of(CertSnapshot snapshot) {
        return switch (snapshot.stored()) {
            case Stored.Missing _ -> new Issue("nothing is stored yet");
            case Stored.Broken(var why) -> new Issue(why);
            case Stored.Present(var material) -> of(snapshot, material);
        };
    }

    private static CertPlan of(CertSnapshot snapshot, CertMaterial material) {
        Instant now = snapshot.now();
        var authority = material.newestAuthority();
        if (!authority.getNotAfter().toInstant().isAfter(now)) {
            return new Issue("the authority has expired");
        }
        if (snapshot.trustedSince().isEmpty()) {
            return new PublishBundle();
        }
        if (!material.leafIsOfNewestAuthority()) {
            Instant settled = snapshot.trustedSince().get().plus(snapshot.policy().settle());
            return now.isBefore(settled) ? new Keep(settled) : new RenewLeaf();
        }
        Instant rotation = CertPolicy.renewalOf(authority);
        if (!now.isBefore(rotation)) {
            return new RotateCa();
        }
        Instant renewal = CertPolicy.renewalOf(material.leaf());
        if (!now.isBefore(renewal) || !material.leafServes(snapshot.policy().names())) {
            return new RenewLeaf();
        }
        return new Keep(rotation.isBefore(renewal) ? rotation : renewal);
    }
}
