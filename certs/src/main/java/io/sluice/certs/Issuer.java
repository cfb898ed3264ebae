// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes ECDSA P-256 authorities, and leaves signed by one. */
final class Issuer {
    /**
     * How far a certificate begins in the past, for clocks that are behind the one it was made by.
     */
    private static final Duration BACKDATED = Duration.ofDays(1);

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F]*+:[0-9a-fA-F:.]*");

    private final CertPolicy policy;
    private final SecureRandom random;

    /** A certificate and the key to it. */
    record Keyed(X509Certificate certificate, PrivateKey key) {}

    Issuer(CertPolicy policy, SecureRandom random) {
        this.policy = policy;
        this.random = random;
    }

    /**
     * Does what the first key, signature and check of a process do, so that the others need not
     * wait for it: the runtime then computes tables of the curve, which takes a tenth of a start.
     */
    static void prepare() {
        try {
            KeyPair keys = newKeys(new SecureRandom());
            if (!CertMaterial.belongTogether(keys.getPublic(), keys.getPrivate())) {
                throw new IllegalStateException("a key does not fit itself");
            }
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("this Java has no ECDSA with P-256", broken);
        }
    }

    Keyed authority(Instant now) {
        try {
            KeyPair keys = newKeys(random);
            BigInteger serial = serial();
            var name =
                    new X500Principal(
                            "CN=sluice-webhook-ca-" + serial.toString(16).substring(0, 8));
            var extensions = new JcaX509ExtensionUtils();
            var builder =
                    new JcaX509v3CertificateBuilder(
                            name,
                            serial,
                            Date.from(now.minus(BACKDATED)),
                            Date.from(now.plus(policy.authorityLife())),
                            name,
                            keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    extensions.createSubjectKeyIdentifier(keys.getPublic()));
            return new Keyed(sign(builder, keys.getPrivate()), keys.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException broken) {
            throw new IllegalStateException("cannot issue an authority", broken);
        }
    }

    Keyed leaf(Instant now, Keyed authority) {
        try {
            KeyPair keys = newKeys(random);
            var extensions = new JcaX509ExtensionUtils();
            var builder =
                    new JcaX509v3CertificateBuilder(
                            authority.certificate(),
                            serial(),
                            Date.from(now.minus(BACKDATED)),
                            Date.from(now.plus(policy.leafLife())),
                            new X500Principal("CN=sluice-webhook"),
                            keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    extensions.createAuthorityKeyIdentifier(authority.certificate()));
            builder.addExtension(Extension.subjectAlternativeName, false, names());
            return new Keyed(sign(builder, authority.key()), keys.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException broken) {
            throw new IllegalStateException("cannot issue a leaf", broken);
        }
    }

    private GeneralNames names() {
        return new GeneralNames(
                policy.names().stream()
                        .map(
                                name ->
                                        new GeneralName(
                                                ADDRESS.matcher(name).matches()
                                                        ? GeneralName.iPAddress
                                                        : GeneralName.dNSName,
                                                name))
                        .toArray(GeneralName[]::new));
    }

    private static KeyPair newKeys(SecureRandom random) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    /** 127 random bits with the highest one set, so that its text always has the same length. */
    private BigInteger serial() {
        return new BigInteger(126, random).setBit(126);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, GeneralSecurityException {
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }
}
