// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.testkit.Waits;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** Answers over HTTP that nobody should have to read; each ends by itself. */
final class HostileAnswers {
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    /** Writes to a socket until it ends or the other hangs up. */
    @FunctionalInterface
    interface Answer {
        void write(OutputStream out) throws IOException;
    }

    record Named(String name, Answer answer) {}

    static final List<Named> OF_JOB_MANAGERS =
            List.of(
                    new Named("16 MiB of {}", chunked("{\"jobs\":[{}", ",{}", "]}", 16)),
                    new Named("deep arrays", chunked("{\"jobs\":", "[", "", 2)),
                    new Named("deep objects", chunked("{\"plan\":", "{\"a\":", "", 2)),
                    new Named(
                            "100,000 vertices",
                            chunked(
                                    "{\"jid\":\"a\",\"state\":\"RUNNING\",\"vertices\":[{}",
                                    ",{\"id\":\"a\",\"name\":\"secret_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a\"}",
                                    "]}",
                                    8)),
                    new Named(
                            "endless exceptions",
                            chunked(
                                    "{\"exceptionHistory\":{\"entries\":[{}",
                                    ",{\"exceptionName\":\"E\",\"timestamp\":1,\"stacktrace\":\""
                                            + "secret_a".repeat(1200)
                                            + "\"}",
                                    "]}}",
                                    64)),
                    new Named(
                            "one endless text",
                            chunked("{\"jobs\":[{\"jid\":\"", "x", "\"}]}", 64)),
                    new Named("an endless header", repeated(OK + "X-Long: ", "x".repeat(8000))),
                    new Named("endless headers", repeated(OK, "X-More: yes\r\n".repeat(500))),
                    new Named(
                            "endless information",
                            repeated("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(300))),
                    new Named("drops", slowly(OK + "Content-Length: 1000000\r\n\r\n", " ")),
                    new Named("silence", slowly("", "")),
                    new Named("wrong chunks", repeated(CHUNKED, "zz\r\n\u0000\u00ff")),
                    new Named(
                            "endless numbers", chunked("[1", "9".repeat(1000), "e999999999]", 16)));

    static final List<Named> OF_JAR_SERVERS =
            List.of(
                    new Named("endless-body", repeated(OK + "\r\n", "x".repeat(8000))),
                    new Named("endless-header", repeated(OK + "X-Long: ", "x".repeat(8000))),
                    new Named("endless-headers", repeated(OK, "X-More: yes\r\n".repeat(500))),
                    new Named("endless-redirect", out -> redirect(out, "endless-redirect")),
                    new Named(
                            "endless-404",
                            repeated("HTTP/1.1 404 Not Found\r\n\r\n", "x".repeat(8000))),
                    new Named("drops", slowly(OK + "Content-Length: 1000000\r\n\r\n", "P")),
                    new Named("silence", slowly("", "")),
                    new Named(
                            "endless-information",
                            repeated("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(300))),
                    new Named(
                            "no-jar",
                            out ->
                                    out.write(
                                            (OK + "Content-Length: 6\r\n\r\nno jar")
                                                    .getBytes(ISO_8859_1))),
                    new Named(
                            "wrong-length",
                            repeated(
                                    OK + "Content-Length: 99999999999999999999\r\n\r\n",
                                    "x".repeat(8000))));

    private HostileAnswers() {}

    private static void redirect(OutputStream out, String to) throws IOException {
        out.write(
                "HTTP/1.1 302 Found\r\nLocation: %s?%d\r\nContent-Length: 0\r\n\r\n"
                        .formatted(to, System.nanoTime())
                        .getBytes(ISO_8859_1));
    }

    private static Answer chunked(String before, String again, String after, int mebibytes) {
        byte[] many = ascii(again.repeat(1 + 60_000 / again.length()));
        return out -> {
            out.write(ascii(CHUNKED));
            chunk(out, ascii(before));
            for (long sent = 0; sent < mebibytes * 1024L * 1024; sent += many.length) {
                chunk(out, many);
            }
            if (!after.isEmpty()) {
                chunk(out, ascii(after));
            }
            out.write(ascii("0\r\n\r\n"));
        };
    }

    private static Answer repeated(String before, String again) {
        byte[] bytes = ascii(again);
        return out -> {
            out.write(ascii(before));
            for (long sent = 0; sent < MOST_BYTES; sent += bytes.length) {
                out.write(bytes);
            }
        };
    }

    private static Answer slowly(String before, String drop) {
        return out -> {
            out.write(ascii(before));
            long begin = System.nanoTime();
            while (Waits.since(begin).compareTo(LONGEST) < 0) {
                out.write(ascii(drop));
                out.flush();
                Waits.pause(Duration.ofMillis(200));
            }
        };
    }

    private static void chunk(OutputStream out, byte[] bytes) throws IOException {
        out.write(ascii(Integer.toHexString(bytes.length) + "\r\n"));
        out.write(bytes);
        out.write(ascii("\r\n"));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
