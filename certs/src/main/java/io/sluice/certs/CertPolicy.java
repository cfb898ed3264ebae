// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the certificates are to be.
 *
 * @param names host names and addresses the leaf is good for
 * @param settle how long a bundle must have been published before a leaf may rely on it: API
 *     servers learn of it one after the other
 */
public record CertPolicy(
        List<String> names, Duration authorityLife, Duration leafLife, Duration settle) {
    public CertPolicy {
        names = List.copyOf(names);
    }

    /** One year for the authority, 90 days for the leaf. */
    public static CertPolicy of(List<String> names) {
        return new CertPolicy(
                names, Duration.ofDays(365), Duration.ofDays(90), Duration.ofMinutes(2));
    }

    /** The names under which a Service is reached from inside its cluster. */
    public static List<String> serviceNames(String service, String namespace) {
        return Stream.of(
                        "",
                        "." + namespace,
                        "." + namespace + ".svc",
                        "." + namespace + ".svc.cluster.local")
                .map(suffix -> service + suffix)
                .toList();
    }

    /** When a certificate has lived two thirds of its life. */
    static Instant renewalOf(X509Certificate certificate) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        return from.plus(Duration.between(from, to).multipliedBy(2).dividedBy(3));
    }
}
