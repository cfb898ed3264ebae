// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * A certificate that somebody else issued, and its key.
 *
 * @param chain leaf first
 */
public record ServingPair(List<X509Certificate> chain, PrivateKey key) {
    /** Texts that are no certificate and key that belong together; never quotes them. */
    public static final class Unusable extends Exception {
        Unusable(String message) {
            super(message);
        }
    }

    public ServingPair {
        chain = List.copyOf(chain);
    }

    /**
     * @param certificates PEM, leaf first
     * @param key PEM, unencrypted, as PKCS #8, PKCS #1 or SEC 1
     */
    public static ServingPair read(String certificates, String key) throws Unusable {
        var pair = new ServingPair(chain(certificates), privateKey(key));
        if (!pair.belongsTogether()) {
            throw new Unusable("tls.key belongs to another certificate than tls.crt; renew both");
        }
        return pair;
    }

    private static List<X509Certificate> chain(String pem) throws Unusable {
        try {
            List<X509Certificate> chain = Pem.certificates(pem);
            if (chain.isEmpty()) {
                throw new Unusable("tls.crt holds no certificate; put one in PEM there");
            }
            return chain;
        } catch (GeneralSecurityException unreadable) {
            throw new Unusable("tls.crt is not a certificate in PEM; put one there");
        }
    }

    private static PrivateKey privateKey(String pem) throws Unusable {
        var converter = new JcaPEMKeyConverter();
        try (var parser = new PEMParser(new StringReader(pem))) {
            return switch (parser.readObject()) {
                case PrivateKeyInfo info -> converter.getPrivateKey(info);
                case PEMKeyPair pair -> converter.getPrivateKey(pair.getPrivateKeyInfo());
                case null, default ->
                        throw new Unusable(
                                "tls.key is not an unencrypted private key in PEM; put one there");
            };
        } catch (IOException | RuntimeException unreadable) {
            throw new Unusable("tls.key cannot be read as PEM; put an unencrypted key there");
        }
    }

    private boolean belongsTogether() {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                };
        try {
            byte[] probe = "probe".getBytes(UTF_8);
            var signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(probe);
            var verifier = Signature.getInstance(algorithm);
            verifier.initVerify(chain.getFirst().getPublicKey());
            verifier.update(probe);
            return verifier.verify(signer.sign());
        } catch (GeneralSecurityException another) {
            return false;
        }
    }
}
