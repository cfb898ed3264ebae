// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** HTTP/1.1 at one loopback address over bare sockets, a virtual thread for each connection. */
public final class LoopbackPort implements AutoCloseable {
    private static final int LONGEST_HEAD = 65_536;
    private static final int LARGEST_BODY = 4 * 1024 * 1024;

    /**
     * What was asked for.
     *
     * @param path with its query
     */
    public record Request(String method, String path, String body) {
        public boolean reads() {
            return method.equals("GET");
        }
    }

    /** Writes a whole answer, or whatever it wants. */
    @FunctionalInterface
    public interface Answering {
        void answer(Request request, OutputStream out) throws IOException;
    }

    private final ServerSocket server;
    private final Answering answering;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private LoopbackPort(ServerSocket server, Answering answering) {
        this.server = server;
        this.answering = answering;
    }

    public static LoopbackPort open(InetAddress address, int port, Answering answering)
            throws IOException {
        var server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(address, port), 512);
        var opened = new LoopbackPort(server, answering);
        Thread.ofVirtual().start(opened::accept);
        return opened;
    }

    /** A complete answer with a JSON body. */
    public static void json(OutputStream out, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        out.write(
                "HTTP/1.1 %d Status\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: %d\r\n\r\n"
                        .formatted(status, bytes.length)
                        .getBytes(ISO_8859_1));
        out.write(bytes);
        out.flush();
    }

    @Override
    public void close() {
        quietly(server);
        open.forEach(LoopbackPort::quietly);
    }

    private static void quietly(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception gone) {
            // It is closed, which is what was wanted.
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            for (Optional<Request> next = read(in); next.isPresent(); next = read(in)) {
                answering.answer(next.get(), socket.getOutputStream());
            }
        } catch (IOException hungUp) {
            // Either side may hang up at any time.
        } finally {
            open.remove(socket);
        }
    }

    private static Optional<Request> read(InputStream in) throws IOException {
        String[] head = head(in).split("\r\n", -1);
        String[] words = head[0].split(" ", 3);
        if (words.length < 3) {
            return Optional.empty();
        }
        int length = 0;
        boolean chunked = false;
        for (String line : head) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
            } else if (header.startsWith("transfer-encoding:")) {
                chunked = true;
            }
        }
        byte[] body = chunked ? chunks(in) : in.readNBytes(Math.min(length, LARGEST_BODY));
        return Optional.of(
                new Request(words[0], words[1], new String(body, StandardCharsets.UTF_8)));
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.length() < LONGEST_HEAD) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
            if (next == '\n' && head.lastIndexOf("\r\n\r\n") == head.length() - 4) {
                return head.toString();
            }
        }
        throw new IOException("the head is too long");
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        while (body.size() < LARGEST_BODY) {
            int size = Integer.parseInt(line(in), 16);
            body.write(in.readNBytes(size));
            line(in);
            if (size == 0) {
                return body.toByteArray();
            }
        }
        throw new IOException("the body is too large");
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
