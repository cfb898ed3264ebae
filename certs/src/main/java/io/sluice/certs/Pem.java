// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** Certificates and keys as text. */
final class Pem {
    private Pem() {}

    static String of(List<X509Certificate> certificates) {
        return certificates.stream().map(Pem::of).collect(Collectors.joining());
    }

    static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException broken) {
            throw new IllegalStateException("a certificate cannot be encoded", broken);
        }
    }

    static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(US_ASCII)))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    static PrivateKey key(String pem) throws GeneralSecurityException {
        String body = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "").strip();
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(body);
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException notBase64) {
            throw new GeneralSecurityException("a private key is no PEM", notBase64);
        }
    }

    private static String block(String type, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }
}
