// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * One connection that is kept, and as little around it as goes: what the caller costs is missing
 * from the server.
 */
final class Caller implements AutoCloseable {
    private final SSLSocket socket;
    private final OutputStream out;
    private final InputStream in;

    Caller(SSLContext trust, int port) throws IOException {
        socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** A whole HTTP request. */
    static byte[] post(String path, byte[] body) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                ("POST "
                                + path
                                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
                                + "\r\nContent-Length: "
                                + body.length
                                + "\r\n\r\n")
                        .getBytes(US_ASCII));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    /** Sends and waits for the whole answer; anything but 200 is a failure. */
    void call(byte[] request) throws IOException {
        out.write(request);
        out.flush();
        String status = line();
        int length = -1;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring("content-length:".length()).strip());
            }
        }
        in.skipNBytes(Math.max(0, length));
        if (!status.startsWith("HTTP/1.1 200") || length < 0) {
            throw new IOException("answered " + status);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
