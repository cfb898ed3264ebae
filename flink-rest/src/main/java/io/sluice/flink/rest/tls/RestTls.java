// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** By which certificates a JobManager is trusted whose REST API uses TLS. */
@FunctionalInterface
public interface RestTls {
    /**
     * Asked for before each connection, so that new certificates take effect.
     *
     * @throws IOException if there are none that can be used; the message says what to do
     */
    Terms terms() throws IOException;

    /**
     * The certificates of a connection, and how strictly it looks at the host.
     *
     * @param context what is trusted, and what this process shows if it is asked for a certificate
     * @param verifiesHosts whether the certificate has to be for the host that is asked
     */
    record Terms(SSLContext context, boolean verifiesHosts) {}

    /** Trusts whom the JDK trusts, and shows no certificate. */
    static RestTls ofJdk() {
        return () -> {
            try {
                return new Terms(SSLContext.getDefault(), true);
            } catch (NoSuchAlgorithmException broken) {
                throw new IOException("the JDK's own trust store cannot be read", broken);
            }
        };
    }

    /**
     * Those of a folder, if there is one, or else the JDK's.
     *
     * @param verifiesHosts see {@link Terms#verifiesHosts}; always true without a folder
     * @param warnings are given a sentence when new certificates can't be read
     */
    static RestTls of(Optional<Path> folder, boolean verifiesHosts, Consumer<String> warnings) {
        return folder.<RestTls>map(path -> new RestTlsFolder(path, verifiesHosts, warnings))
                .orElseGet(RestTls::ofJdk);
    }
}
