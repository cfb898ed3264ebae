// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the API servers are told to trust, as read at one moment.
 *
 * @param absent configurations that do not exist; until they do, nothing counts as published
 */
public record Publication(List<Target> targets, List<String> absent) {
    public Publication {
        targets = List.copyOf(targets);
        absent = List.copyOf(absent);
    }

    /** One configuration; {@code bundles} has an element per distinct caBundle, empty if unset. */
    public record Target(String name, String version, Set<String> bundles) {
        public Target {
            bundles = Set.copyOf(bundles);
        }

        boolean holds(String bundle) {
            return bundles.stream().allMatch(bundle::equals);
        }
    }

    boolean holds(String bundle) {
        return absent.isEmpty() && targets.stream().allMatch(target -> target.holds(bundle));
    }

    /** Whom the API servers trust now; what cannot be read is trusted by nobody. */
    List<X509Certificate> authorities() {
        return targets.stream()
                .flatMap(target -> target.bundles().stream())
                .distinct()
                .flatMap(Publication::certificates)
                .distinct()
                .toList();
    }

    private static Stream<X509Certificate> certificates(String bundle) {
        try {
            return Pem.certificates(bundle).stream();
        } catch (GeneralSecurityException notOurs) {
            return Stream.empty();
        }
    }
}
