// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** How the connection to Prometheus is encrypted. */
final class PrometheusTls {
    private static final String VERSION = "TLSv1.3";

    private PrometheusTls() {}

    static SSLParameters parameters() {
        var parameters = new SSLParameters();
        parameters.setProtocols(new String[] {VERSION});
        return parameters;
    }

    /**
     * Trusts these, and shows no certificate.
     *
     * @param pem certificates, one behind the other
     */
    static SSLContext trusting(String pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(
                                new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))) {
            store.setCertificateEntry("ca-" + count++, certificate);
        }
        if (count == 0) {
            throw new IOException("the file of certificates has none");
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance(VERSION);
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
