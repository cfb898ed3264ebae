// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of the Secret.
 *
 * @param authorities whom to trust, newest first; the newest signs
 * @param authorityKey the key of the newest authority
 */
public record CertMaterial(
        X509Certificate leaf,
        PrivateKey leafKey,
        List<X509Certificate> authorities,
        PrivateKey authorityKey) {
    /** Authorities kept beside the newest: more than replicas still show leaves of. */
    private static final int MOST_OTHERS = 4;

    static final String LEAF = "tls.crt";
    static final String LEAF_KEY = "tls.key";
    static final String AUTHORITIES = "ca.crt";
    static final String AUTHORITY_KEY = "ca.key";

    public CertMaterial {
        authorities = List.copyOf(authorities);
    }

    static CertMaterial issue(Issuer issuer, Instant now, List<X509Certificate> alsoTrusted) {
        var authority = issuer.authority(now);
        var leaf = issuer.leaf(now, authority);
        return new CertMaterial(
                leaf.certificate(),
                leaf.key(),
                Stream.concat(Stream.of(authority.certificate()), alive(alsoTrusted, now)).toList(),
                authority.key());
    }

    /** The same leaf, and a new authority in front of those that are alive. */
    CertMaterial withNewAuthority(Issuer issuer, Instant now) {
        var authority = issuer.authority(now);
        return new CertMaterial(
                leaf,
                leafKey,
                Stream.concat(Stream.of(authority.certificate()), alive(authorities, now)).toList(),
                authority.key());
    }

    /** A new leaf of the newest authority; authorities past their life are dropped. */
    CertMaterial withNewLeaf(Issuer issuer, Instant now) {
        var fresh = issuer.leaf(now, new Issuer.Keyed(newestAuthority(), authorityKey));
        return new CertMaterial(
                fresh.certificate(), fresh.key(), alive(authorities, now).toList(), authorityKey);
    }

    /** What API servers are told to trust. */
    public String bundle() {
        return Pem.of(authorities);
    }

    X509Certificate newestAuthority() {
        return authorities.getFirst();
    }

    boolean leafIsOfNewestAuthority() {
        return isSignedBy(leaf, newestAuthority());
    }

    /**
     * Whether {@code shown}, of whatever origin, is in its time and signed by an authority here.
     */
    boolean trusts(X509Certificate shown, Instant now) {
        return shown.getNotAfter().toInstant().isAfter(now)
                && authorities.stream()
                        .anyMatch(
                                authority ->
                                        isAlive(authority, now) && isSignedBy(shown, authority));
    }

    boolean leafServes(Collection<String> names) {
        try {
            Collection<List<?>> found =
                    Optional.ofNullable(leaf.getSubjectAlternativeNames()).orElse(List.of());
            return found.stream()
                    .map(name -> String.valueOf(name.get(1)))
                    .collect(Collectors.toSet())
                    .equals(Set.copyOf(names));
        } catch (CertificateParsingException unreadable) {
            return false;
        }
    }

    Map<String, String> encode() {
        return Map.of(
                LEAF, Pem.of(leaf),
                LEAF_KEY, Pem.of(leafKey),
                AUTHORITIES, bundle(),
                AUTHORITY_KEY, Pem.of(authorityKey));
    }

    /** Reads a Secret's content; what does not fit together is {@link Stored.Broken}. */
    static Stored decode(Map<String, String> content) {
        if (content.isEmpty()) {
            return new Stored.Missing();
        }
        try {
            var leaves = Pem.certificates(content.getOrDefault(LEAF, ""));
            var authorities = Pem.certificates(content.getOrDefault(AUTHORITIES, ""));
            if (leaves.isEmpty() || authorities.isEmpty()) {
                return new Stored.Broken("a certificate is missing");
            }
            var material =
                    new CertMaterial(
                            leaves.getFirst(),
                            Pem.key(content.getOrDefault(LEAF_KEY, "")),
                            authorities,
                            Pem.key(content.getOrDefault(AUTHORITY_KEY, "")));
            return material.flaw()
                    .<Stored>map(Stored.Broken::new)
                    .orElseGet(() -> new Stored.Present(material));
        } catch (GeneralSecurityException unreadable) {
            return new Stored.Broken("a certificate or key cannot be read");
        }
    }

    private Optional<String> flaw() throws GeneralSecurityException {
        if (!belongTogether(leaf.getPublicKey(), leafKey)) {
            return Optional.of("the leaf's key belongs to another certificate");
        }
        if (!belongTogether(newestAuthority().getPublicKey(), authorityKey)) {
            return Optional.of("the authority's key belongs to another certificate");
        }
        return authorities.stream().anyMatch(authority -> isSignedBy(leaf, authority))
                ? Optional.empty()
                : Optional.of("the leaf is signed by none of the authorities");
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException another) {
            return false;
        }
    }

    static boolean belongTogether(PublicKey publicKey, PrivateKey key)
            throws GeneralSecurityException {
        byte[] probe = "probe".getBytes(UTF_8);
        var signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(key);
        signer.update(probe);
        var verifier = Signature.getInstance("SHA256withECDSA");
        verifier.initVerify(publicKey);
        verifier.update(probe);
        return verifier.verify(signer.sign());
    }

    private static Stream<X509Certificate> alive(List<X509Certificate> authorities, Instant now) {
        return authorities.stream().filter(authority -> isAlive(authority, now)).limit(MOST_OTHERS);
    }

    private static boolean isAlive(X509Certificate authority, Instant now) {
        return authority.getNotAfter().toInstant().isAfter(now);
    }
}
