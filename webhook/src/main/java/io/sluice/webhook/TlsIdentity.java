// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.sluice.certs.CertMaterial;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The certificate this process shows. It is exchanged while connections are open: they go on with
 * the old one, new ones get the new one. Without any, every handshake fails.
 */
final class TlsIdentity {
    private static final char[] IN_MEMORY = "in-memory".toCharArray();

    private final SslContextFactory.Server contexts = new SslContextFactory.Server();
    private final AtomicReference<Optional<X509Certificate>> leaf =
            new AtomicReference<>(Optional.empty());

    TlsIdentity() {
        contexts.setIncludeProtocols("TLSv1.3");
        contexts.setRenegotiationAllowed(false);
        contexts.setKeyStorePassword(String.valueOf(IN_MEMORY));
    }

    SslContextFactory.Server contexts() {
        return contexts;
    }

    Optional<X509Certificate> leaf() {
        return leaf.get();
    }

    /** Shows {@code material} from now on; true if that is a change. */
    boolean show(CertMaterial material) {
        if (leaf.get().equals(Optional.of(material.leaf()))) {
            return false;
        }
        reload(keyStore(material));
        leaf.set(Optional.of(material.leaf()));
        return true;
    }

    private void reload(KeyStore store) {
        try {
            contexts.reload(factory -> factory.setKeyStore(store));
        } catch (RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new IllegalStateException("the certificate cannot be loaded", fault);
        }
    }

    private static KeyStore keyStore(CertMaterial material) {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, IN_MEMORY);
            store.setKeyEntry(
                    "webhook",
                    material.leafKey(),
                    IN_MEMORY,
                    new X509Certificate[] {material.leaf()});
            return store;
        } catch (GeneralSecurityException | IOException fault) {
            throw new IllegalStateException("the certificate cannot be loaded", fault);
        }
    }
}
