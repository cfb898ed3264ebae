// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server on loopback whose paths begin with a seed: what is asked below it is answered with the
 * {@link FuzzedAnswer} of this seed, whatever was asked before; then the connection ends. Below
 * {@code /ordinary} stands a JobManager without jobs, of another server best: what comes after an
 * answer is not to be taken for the next one.
 */
public final class FuzzedJobManager implements AutoCloseable {
    private static final Pattern REQUEST_LINE = Pattern.compile("\\w+ /(\\w+)(\\S*) HTTP");

    private final ServerSocket server = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    public FuzzedJobManager() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        Thread.ofVirtual().start(this::accept);
    }

    /** Where everything is answered as {@code seed} has it. */
    public URI at(long seed) {
        return at(Long.toString(seed));
    }

    /** Where a JobManager answers that has no jobs. */
    public URI ordinary() {
        return at("ordinary");
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private URI at(String path) {
        return URI.create("http://localhost:" + server.getLocalPort() + "/" + path);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
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
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                Matcher line = REQUEST_LINE.matcher(head);
                if (!line.lookingAt()) {
                    return;
                }
                if (line.group(1).equals("ordinary")) {
                    socket.getOutputStream()
                            .write(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"jobs\":[]}"
                                            .getBytes(StandardCharsets.UTF_8));
                } else {
                    new FuzzedAnswer(Long.parseLong(line.group(1)))
                            .write(line.group(2), socket.getOutputStream());
                    return;
                }
            }
        } catch (IOException | UncheckedIOException hungUp) {
            // Either side may hang up at any time.
        } finally {
            open.remove(socket);
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (next == '\n' && head.indexOf("\r\n\r\n", head.length() - 4) >= 0) {
                return head.toString();
            }
        }
        return "";
    }
}
