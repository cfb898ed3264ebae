// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.process.Loop;
import io.sluice.process.port.Endpoint;
import io.sluice.webhook.certificates.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a resource reviewed now and then, as an API server does it: over a new connection to the port
 * itself, by the same threads and rules. When for a while neither that nor any other review had a
 * verdict, the process serves nobody.
 */
public final class SelfReview implements AutoCloseable {
    /** Reviews like the others, and is counted apart from them. */
    public static final String PATH = Endpoint.SELF_REVIEW.path();

    private static final Logger LOG = LoggerFactory.getLogger(SelfReview.class);

    private final IntSupplier port;
    private final TlsIdentity tls;
    private final BooleanSupplier expected;
    private final Terms terms;
    private final LongSupplier nanos;
    private final Loop loop;
    private volatile long lastVerdict;
    private volatile String why = "nothing was tried yet";
    private long number;

    /**
     * @param every how often one is asked for
     * @param answer how long each step of it may take
     * @param longest without any verdict, until the process counts as serving nobody
     */
    public record Terms(Duration every, Duration answer, Duration longest) {
        public static final Terms USUAL =
                new Terms(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMinutes(1));
    }

    /**
     * @param port where the process listens
     * @param expected whether a verdict can be had at all, as it can't before there is a
     *     configuration
     * @param nanos a clock that only goes forward
     */
    public SelfReview(
            IntSupplier port,
            TlsIdentity tls,
            BooleanSupplier expected,
            Terms terms,
            LongSupplier nanos) {
        this.port = port;
        this.tls = tls;
        this.expected = expected;
        this.terms = terms;
        this.nanos = nanos;
        loop = new Loop("self-review", this::pass, terms::every);
        lastVerdict = nanos.getAsLong();
    }

    public void start() {
        loop.start();
    }

    /** A review had its verdict, whoever asked for it. */
    public void hadVerdict() {
        lastVerdict = nanos.getAsLong();
    }

    /** Empty while somebody gets verdicts. */
    public Optional<String> wrong() {
        Duration silent = silent();
        return silent.compareTo(terms.longest()) < 0
                ? Optional.empty()
                : Optional.of(
                        "no review had a verdict for %d s; of the process's own: %s"
                                .formatted(silent.toSeconds(), why));
    }

    /** Since the last verdict. */
    public Duration silent() {
        return Duration.ofNanos(nanos.getAsLong() - lastVerdict);
    }

    @Override
    public void close() {
        loop.close();
    }

    /** One review; never throws. */
    private void pass() {
        Optional<X509Certificate> leaf = tls.leaf();
        if (leaf.isEmpty() || !expected.getAsBoolean()) {
            hadVerdict();
            return;
        }
        try {
            String status = ask(leaf.get());
            if (status.startsWith("HTTP/1.1 200")) {
                hadVerdict();
            } else {
                failed("answered by " + status);
            }
        } catch (IOException | GeneralSecurityException failed) {
            failed(failed.toString());
        }
    }

    private void failed(String cause) {
        why = cause;
        LOG.atWarn().addKeyValue("cause", cause).log("the process's own review got no verdict");
    }

    /** The status line of the answer. */
    private String ask(X509Certificate leaf) throws IOException, GeneralSecurityException {
        byte[] body = review(number++).getBytes(UTF_8);
        int patience = (int) terms.answer().toMillis();
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getAsInt());
        try (var plain = new Socket()) {
            plain.connect(here, patience);
            plain.setSoTimeout(patience);
            try (var socket =
                    (SSLSocket)
                            trusting(leaf)
                                    .getSocketFactory()
                                    .createSocket(plain, "localhost", here.getPort(), true)) {
                var out = socket.getOutputStream();
                out.write(head(body.length).getBytes(US_ASCII));
                out.write(body);
                out.flush();
                return new String(socket.getInputStream().readNBytes(12), US_ASCII);
            }
        }
    }

    private static String head(int length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                .formatted(PATH, length);
    }

    /** Another one each time, as what was said before is remembered. */
    private static String review(long number) {
        return """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{
                 "uid":"self-%1$d","operation":"CREATE","namespace":"default","name":"self-%1$d","dryRun":true,
                 "kind":{"group":"flink.apache.org","version":"v1beta1","kind":"FlinkDeployment"},
                 "object":{"apiVersion":"flink.apache.org/v1beta1","kind":"FlinkDeployment",
                  "metadata":{"name":"self-%1$d","namespace":"default"},
                  "spec":{"image":"flink:1.20","flinkVersion":"v1_20","serviceAccount":"flink",
                   "jobManager":{"resource":{"cpu":1,"memory":"1Gi"}},
                   "taskManager":{"resource":{"cpu":1,"memory":"1Gi"}},
                   "job":{"jarURI":"local:///opt/flink/usrlib/job.jar","parallelism":2}}}}}
                """
                .formatted(number);
    }

    /** The very certificate that is served; its names are of no interest here. */
    private static SSLContext trusting(X509Certificate leaf) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Pinned(leaf)}, null);
        return context;
    }

    private static final class Pinned extends X509ExtendedTrustManager {
        private final X509Certificate leaf;

        Pinned(X509Certificate leaf) {
            this.leaf = leaf;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (!chain[0].equals(leaf)) {
                throw new CertificateException("another certificate is served");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
