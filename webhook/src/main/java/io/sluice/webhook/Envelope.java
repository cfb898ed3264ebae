// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A body told apart from others by all of it but its request's uid, by which alone two reviews of
 * one thing differ.
 */
final class Envelope {
    private static final JsonFactory JSON = new JsonFactory();

    private final String uid;
    private final byte[] body;
    private final int from;
    private final int to;
    private final Mark mark;

    /**
     * The same for the same content; what has the same need not be the same.
     *
     * @param length of the content, in bytes
     * @param from where the uid was left out
     */
    record Mark(long checksum, int length, int from) {}

    private Envelope(String uid, byte[] body, int from, int to) {
        this.uid = uid;
        this.body = body;
        this.from = from;
        this.to = to;
        this.mark = new Mark(checksum(), body.length - (to - from), from);
    }

    /**
     * Empty unless the uid comes first in the request and needs no escapes, as the API server
     * writes it.
     *
     * @param body read and kept, not copied
     */
    static Optional<Envelope> of(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (!entersRequest(parser) || !isUid(parser)) {
                return Optional.empty();
            }
            int from = (int) parser.currentTokenLocation().getByteOffset();
            String uid = parser.getText();
            int to = (int) parser.currentLocation().getByteOffset();
            return to - from == uid.length() + 2
                    ? Optional.of(new Envelope(uid, body, from, to))
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    String uid() {
        return uid;
    }

    Mark mark() {
        return mark;
    }

    /** Writes the content to the beginning of {@code into}, which has room for it. */
    void copy(byte[] into) {
        System.arraycopy(body, 0, into, 0, from);
        System.arraycopy(body, to, into, from, body.length - to);
    }

    /** Whether one with the same mark wrote the same to the beginning of {@code copy}. */
    boolean isIn(byte[] copy) {
        return Arrays.equals(body, 0, from, copy, 0, from)
                && Arrays.equals(body, to, body.length, copy, from, mark.length());
    }

    private long checksum() {
        var sum = new CRC32C();
        sum.update(body, 0, from);
        sum.update(body, to, body.length - to);
        return sum.getValue();
    }

    /** Leaves {@code parser} at the start of the request, if only short texts come before it. */
    private static boolean entersRequest(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isRequest = parser.currentName().equals("request");
            JsonToken value = parser.nextToken();
            if (isRequest || value != JsonToken.VALUE_STRING) {
                return isRequest && value == JsonToken.START_OBJECT;
            }
        }
        return false;
    }

    private static boolean isUid(JsonParser parser) throws IOException {
        return parser.nextToken() == JsonToken.FIELD_NAME
                && parser.currentName().equals("uid")
                && parser.nextToken() == JsonToken.VALUE_STRING;
    }
}
