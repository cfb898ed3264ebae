// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/**
 * A JobManager whose user has taken it over: it answers each request in whatever way it was told,
 * over a bare socket. Bounded by the test's end, and by 64 MiB an answer.
 */
public final class HostileJobManager implements AutoCloseable {
    private static final long MOST = 64L * 1024 * 1024;
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final ServerSocket server = new ServerSocket();
    private final Map<Socket, Boolean> open = new ConcurrentHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicLong requests = new AtomicLong();
    private volatile Attack attack;

    /** What it does to the one that asks. */
    @FunctionalInterface
    public interface Attack {
        void answer(OutputStream out, HostileJobManager server) throws IOException;
    }

    /** Listens on loopback. */
    public HostileJobManager(Attack attack) throws IOException {
        this.attack = attack;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::accept);
    }

    public URI at() {
        return URI.create("http://localhost:" + server.getLocalPort());
    }

    /** How often it was asked. */
    public long requests() {
        return requests.get();
    }

    /** Answers in another way from now on. */
    public void now(Attack other) {
        attack = other;
    }

    /** {@code {"jobs":[{},{},…]}}. */
    public static Attack list(String field, String element, int mebibytes) {
        return chunked("{\"" + field + "\":[" + element, "," + element, "]}", mebibytes);
    }

    /** {@code before} once, {@code again} until there are so many MiB, {@code after} once. */
    public static Attack chunked(String before, String again, String after, int mebibytes) {
        return (out, _) -> {
            out.write(ascii(CHUNKED));
            chunk(out, ascii(before));
            byte[] many = ascii(again.repeat(1 + 60_000 / again.length()));
            for (long sent = 0; sent < mebibytes * 1024L * 1024; sent += many.length) {
                chunk(out, many);
            }
            chunk(out, ascii(after));
            out.write(ascii("0\r\n\r\n"));
        };
    }

    /** One header line without an end. */
    public static Attack endlessHeaderLine() {
        return (out, _) -> repeated(out, "HTTP/1.1 200 OK\r\nX-Long: ", "x".repeat(10_000));
    }

    public static Attack endlessHeaders() {
        return (out, _) -> repeated(out, "HTTP/1.1 200 OK\r\n", "X-More: yes\r\n".repeat(1000));
    }

    /** Informational responses that no response follows. */
    public static Attack endlessContinue() {
        return (out, _) -> repeated(out, "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(500));
    }

    /** A byte every 50 ms, of a body that would be right in the end. */
    public static Attack drops() {
        return (out, server) -> {
            out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
            for (int sent = 0; sent < 100_000 && !server.isOver(); sent++) {
                out.write(' ');
                out.flush();
            }
        };
    }

    /** Says that it is gzip, and is, up to the middle. */
    public static Attack truncatedGzip() {
        return (out, _) -> {
            var zipped = new ByteArrayOutputStream();
            try (var gzip = new GZIPOutputStream(zipped)) {
                gzip.write(ascii("{\"jobs\":[" + " ".repeat(100_000) + "]}"));
            }
            out.write(
                    ascii(
                            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
                                    + zipped.size()
                                    + "\r\n\r\n"));
            out.write(zipped.toByteArray(), 0, zipped.size() / 2);
        };
    }

    /** These bytes as a complete body. */
    public static Attack body(int status, byte[] body) {
        return (out, _) -> {
            out.write(
                    ascii(
                            "HTTP/1.1 %d Status\r\nContent-Length: %d\r\n\r\n"
                                    .formatted(status, body.length)));
            out.write(body);
        };
    }

    public static Attack body(String body) {
        return body(200, body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        server.close();
        for (Socket socket : open.keySet()) {
            socket.close();
        }
    }

    private boolean isOver() {
        try {
            return end.await(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.put(socket, true);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            if (readHead(socket.getInputStream())) {
                requests.incrementAndGet();
                attack.answer(socket.getOutputStream(), this);
                socket.getOutputStream().flush();
                socket.shutdownOutput();
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException | UncheckedIOException hungUp) {
            // It is the other's right.
        } finally {
            open.remove(socket);
        }
    }

    private static boolean readHead(InputStream in) throws IOException {
        int state = 0;
        for (int one = in.read(); one >= 0; one = in.read()) {
            state = one == (state % 2 == 0 ? '\r' : '\n') ? state + 1 : one == '\r' ? 1 : 0;
            if (state == 4) {
                return true;
            }
        }
        return false;
    }

    private static void chunk(OutputStream out, byte[] bytes) throws IOException {
        out.write(ascii(Integer.toHexString(bytes.length) + "\r\n"));
        out.write(bytes);
        out.write(ascii("\r\n"));
    }

    private static void repeated(OutputStream out, String before, String again) throws IOException {
        out.write(ascii(before));
        byte[] bytes = ascii(again);
        for (long sent = 0; sent < MOST; sent += bytes.length) {
            out.write(bytes);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
