// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.certs.BundlePublisher;
import io.sluice.certs.CertMaterial;
import io.sluice.certs.CertPolicy;
import io.sluice.certs.CertState;
import io.sluice.certs.CertStore;
import io.sluice.certs.Publication;
import io.sluice.certs.Rotator;
import io.sluice.certs.Stored;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate made by the real rotator, kept in memory. */
public final class TestCertificates implements CertStore, BundlePublisher {
    private Optional<CertMaterial> stored = Optional.empty();
    private String bundle = "";

    public static CertMaterial issue() {
        var store = new TestCertificates();
        var policy = CertPolicy.of(List.of("localhost", "127.0.0.1"));
        CertState state = new Rotator(policy, store, store, InstantSource.system()).pass();
        return state.material().orElseThrow();
    }

    /** A client's trust in exactly this authority. */
    public static SSLContext trusting(CertMaterial material) throws GeneralSecurityException {
        return trusting(material.authorities().getFirst());
    }

    static SSLContext trusting(X509Certificate authority) throws GeneralSecurityException {
        try {
            var trust = KeyStore.getInstance(KeyStore.getDefaultType());
            trust.load(null, null);
            trust.setCertificateEntry("ca", authority);
            var managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trust);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (java.io.IOException fault) {
            throw new GeneralSecurityException(fault);
        }
    }

    @Override
    public Loaded load() {
        return new Loaded(
                stored.<Stored>map(Stored.Present::new).orElseGet(Stored.Missing::new),
                Optional.of("1"));
    }

    @Override
    public boolean save(CertMaterial material, Loaded seen) {
        stored = Optional.of(material);
        return true;
    }

    @Override
    public Publication read() {
        return new Publication(
                List.of(new Publication.Target("one", "1", Set.of(bundle))), List.of());
    }

    @Override
    public void publish(String next, Publication seen) {
        bundle = next;
    }
}
