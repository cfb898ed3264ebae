// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The certificate this process shows. It is exchanged while connections are open: they go on with
 * the old one, new ones get the new one. Without any, every handshake fails.
 */
public final class TlsIdentity {
    private static final char[] IN_MEMORY = "in-memory".toCharArray();

    private final SslContextFactory.Server contexts = new SslContextFactory.Server();
    private final AtomicReference<List<X509Certificate>> shown = new AtomicReference<>(List.of());

    /** Which versions of TLS callers may use. */
    public enum Versions {
        TLS_1_3("TLSv1.3"),
        TLS_1_2_AND_1_3("TLSv1.2", "TLSv1.3");

        private final String[] protocols;

        Versions(String... protocols) {
            this.protocols = protocols;
        }
    }

    public TlsIdentity(Versions versions) {
        contexts.setIncludeProtocols(versions.protocols);
        contexts.setRenegotiationAllowed(false);
        contexts.setKeyStorePassword(String.valueOf(IN_MEMORY));
        // At once, so that a certificate may come before the server starts.
        adapted(contexts::start);
    }

    public SslContextFactory.Server contexts() {
        return contexts;
    }

    public Optional<X509Certificate> leaf() {
        return shown.get().stream().findFirst();
    }

    /** Shows {@code chain}, leaf first, from now on; true if that is a change. */
    public boolean show(List<X509Certificate> chain, PrivateKey key) {
        if (shown.get().equals(chain)) {
            return false;
        }
        reload(keyStore(chain, key));
        shown.set(List.copyOf(chain));
        return true;
    }

    private void reload(KeyStore store) {
        adapted(() -> contexts.reload(factory -> factory.setKeyStore(store)));
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void adapted(Step step) {
        try {
            step.run();
        } catch (RuntimeException fault) {
            throw fault;
        } catch (Exception fault) {
            throw new IllegalStateException("the certificate cannot be loaded", fault);
        }
    }

    private static KeyStore keyStore(List<X509Certificate> chain, PrivateKey key) {
        try {
            // Never written anywhere: a store that derives a key from the password would only cost
            // processor time, most of it at the start.
            var store = KeyStore.getInstance("JKS");
            store.load(null, IN_MEMORY);
            store.setKeyEntry("webhook", key, IN_MEMORY, chain.toArray(X509Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IOException fault) {
            throw new IllegalStateException("the certificate cannot be loaded", fault);
        }
    }
}
