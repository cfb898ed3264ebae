// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a request is answered with.
 *
 * @param headers beside those that every answer has
 */
public record Response(int status, String type, String text, Map<String, String> headers) {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    public Response {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    public static Response plain(int status, String text) {
        return new Response(status, PLAIN, text, Map.of());
    }

    public static Response json(String text) {
        return of(JSON, text);
    }

    /** {@code {"error": …}}, for people and programs. */
    public static Response error(int status, String why) {
        String text = JsonNodeFactory.instance.objectNode().put("error", why).toString();
        return new Response(status, JSON, text + "\n", Map.of());
    }

    /** An answer with status 200. */
    public static Response of(String type, String text) {
        return new Response(200, type, text, Map.of());
    }

    public Response with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new Response(status, type, text, more);
    }

    /** As it is sent. */
    ByteBuffer bytes() {
        byte[] body = text.getBytes(UTF_8);
        var head =
                new StringBuilder(
                        """
                        HTTP/1.1 %d %s\r
                        Content-Type: %s\r
                        Content-Length: %d\r
                        Cache-Control: no-store\r
                        X-Content-Type-Options: nosniff\r
                        Connection: close\r
                        """
                                .formatted(
                                        status, status < 400 ? "OK" : "Not OK", type, body.length));
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        byte[] first = head.append("\r\n").toString().getBytes(ISO_8859_1);
        return ByteBuffer.allocate(first.length + body.length).put(first).put(body).flip();
    }
}
