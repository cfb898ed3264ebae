// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Connections to a port of the API server's neighbours, from the addresses of pods in turn. */
public final class Pods {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final SSLContext TRUST_ALL = trustAll();

    private Pods() {}

    public static Socket plain(int port) throws IOException {
        String from =
                Addresses.PODS.get(Math.floorMod(NEXT.getAndIncrement(), Addresses.PODS.size()));
        return new Socket(
                Addresses.parsed(Addresses.ORDINARY), port, InetAddress.getByName(from), 0);
    }

    /** An attacker does not care who answers. */
    public static SSLSocket tls(int port) throws IOException {
        Socket plain = plain(port);
        try {
            var socket =
                    (SSLSocket)
                            TRUST_ALL
                                    .getSocketFactory()
                                    .createSocket(plain, Addresses.ORDINARY, port, true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.startHandshake();
            socket.setSoTimeout(0);
            return socket;
        } catch (IOException closed) {
            plain.close();
            throw closed;
        }
    }

    private static SSLContext trustAll() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            return context;
        } catch (GeneralSecurityException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
