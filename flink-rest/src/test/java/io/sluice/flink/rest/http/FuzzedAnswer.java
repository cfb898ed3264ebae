// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * What a JobManager answers, made up along the grammar of HTTP and of Flink's JSON, with any of its
 * parts wrong. The same seed makes the same answer.
 */
final class FuzzedAnswer {
    private static final List<String> STATUS_LINES =
            List.of(
                    "HTTP/1.1 200 OK",
                    "HTTP/1.1 200 OK",
                    "HTTP/1.1 200 OK",
                    "HTTP/1.1 200 OK",
                    "HTTP/1.1 202 Accepted",
                    "HTTP/1.0 200 OK",
                    "HTTP/1.1 204 No Content",
                    "HTTP/1.1 301 Moved Permanently\r\nLocation: http://127.0.0.1:1/",
                    "HTTP/1.1 304 Not Modified",
                    "HTTP/1.1 400 Bad Request",
                    "HTTP/1.1 404 Not Found",
                    "HTTP/1.1 500 Internal Server Error",
                    "HTTP/1.1 503 Service Unavailable",
                    "HTTP/1.1 999 Nine",
                    "HTTP/1.1 -1 Minus",
                    "HTTP/1.1 99999999999 Many",
                    "HTTP/9.9 200 OK",
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c",
                    "no HTTP at all",
                    "");
    private static final int SLOW_DROPS = 30;
    private static final long DROP_NANOS = 30_000_000;

    private final Random dice;
    private final FuzzedJson json;

    FuzzedAnswer(long seed) {
        dice = new Random(seed);
        json = new FuzzedJson(dice);
    }

    /**
     * Writes it to {@code out}, after which the connection is to end.
     *
     * @param path what was asked for
     */
    void write(String path, OutputStream out) throws IOException {
        if (dice.nextInt(50) == 0) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(dice.nextInt(2000)).getBytes(UTF_8));
        }
        String statusLine = oneOf(STATUS_LINES);
        var head = new StringBuilder(statusLine).append("\r\n");
        byte[] body = encoded(json.of(path));
        if (dice.nextInt(20) == 0) {
            body = Arrays.copyOf(body, dice.nextInt(body.length + 1));
        }
        headers(head);
        byte[] framed = framed(head, body);
        byte[] first = head.append("\r\n").toString().getBytes(ISO_8859_1);
        if (dice.nextInt(60) == 0) {
            drops(out, first);
            drops(out, framed);
        } else {
            out.write(first);
            out.write(framed);
        }
        out.flush();
    }

    private void headers(StringBuilder head) {
        if (dice.nextBoolean()) {
            head.append("Content-Type: application/json; charset=UTF-8\r\n");
        }
        switch (dice.nextInt(40)) {
            case 0 -> head.append("Content-Encoding: gzip\r\n");
            case 1 ->
                    head.append("X-Long: ")
                            .append("x".repeat(dice.nextInt(100_000)))
                            .append("\r\n");
            case 2 -> head.append("X-More: yes\r\n".repeat(dice.nextInt(5000)));
            case 3 -> head.append("\u0000\u00ff: \u0001\r\n");
            case 4 -> head.append(" folded\r\n\tand folded again\r\n");
            case 5 -> head.append("Set-Cookie: a=b\nwithout a return\r\n");
            case 6 -> head.append("Connection: close\r\n");
            default -> {}
        }
    }

    /** With the headers that say how long it is, or that do not. */
    private byte[] framed(StringBuilder head, byte[] body) throws IOException {
        switch (dice.nextInt(12)) {
            case 0 -> {
                return body; // until the connection ends
            }
            case 1 -> head.append("Content-Length: ").append(body.length + 1 + dice.nextInt(1000));
            case 2 -> head.append("Content-Length: ").append(Math.max(0, body.length - 3));
            case 3 ->
                    head.append(
                            oneOf(
                                    List.of(
                                            "Content-Length: -1",
                                            "Content-Length: 9223372036854775807",
                                            "Content-Length: 99999999999999999999",
                                            "Content-Length: 0x10",
                                            "Content-Length: 5\r\nContent-Length: 6",
                                            "Content-Length:")));
            case 4, 5, 6 -> {
                head.append("Transfer-Encoding: chunked\r\n");
                if (dice.nextInt(10) == 0) {
                    head.append("Content-Length: 5\r\n");
                }
                return chunked(body);
            }
            default -> head.append("Content-Length: ").append(body.length);
        }
        head.append("\r\n");
        return body;
    }

    private byte[] chunked(byte[] body) throws IOException {
        var out = new ByteArrayOutputStream();
        for (int from = 0; from < body.length; ) {
            int size = Math.min(body.length - from, 1 + dice.nextInt(body.length));
            String length = Integer.toHexString(size);
            switch (dice.nextInt(40)) {
                case 0 -> length = "ffffffffffffffff";
                case 1 -> length = "-1";
                case 2 -> length = "zz";
                case 3 -> length = length + ";name=\"" + "v".repeat(dice.nextInt(70_000)) + "\"";
                case 4 -> length = "0".repeat(dice.nextInt(1000)) + length;
                case 5 -> length = "";
                default -> {}
            }
            out.write((length + "\r\n").getBytes(ISO_8859_1));
            out.write(body, from, size);
            out.write((dice.nextInt(50) == 0 ? "\n" : "\r\n").getBytes(ISO_8859_1));
            from += size;
        }
        if (dice.nextInt(10) > 0) {
            out.write("0\r\n".getBytes(ISO_8859_1));
            out.write(
                    dice.nextInt(20) == 0
                            ? "X-Trailer: x\r\n".repeat(2000).getBytes(UTF_8)
                            : new byte[0]);
            out.write("\r\n".getBytes(ISO_8859_1));
        }
        return out.toByteArray();
    }

    private byte[] encoded(String text) {
        return switch (dice.nextInt(30)) {
            case 0 -> text.getBytes(UTF_16);
            case 1 -> text.getBytes(ISO_8859_1);
            case 2 -> ("\ufeff" + text).getBytes(UTF_8);
            case 3 -> {
                byte[] bytes = text.getBytes(UTF_8);
                for (int left = 1 + dice.nextInt(8); left > 0 && bytes.length > 0; left--) {
                    bytes[dice.nextInt(bytes.length)] = (byte) dice.nextInt(256);
                }
                yield bytes;
            }
            default -> text.getBytes(UTF_8);
        };
    }

    private void drops(OutputStream out, byte[] bytes) throws IOException {
        int size = 1 + bytes.length / SLOW_DROPS;
        for (int from = 0; from < bytes.length; from += size) {
            out.write(bytes, from, Math.min(size, bytes.length - from));
            out.flush();
            LockSupport.parkNanos(DROP_NANOS);
        }
    }

    private String oneOf(List<String> choices) {
        return choices.get(dice.nextInt(choices.size()));
    }
}
