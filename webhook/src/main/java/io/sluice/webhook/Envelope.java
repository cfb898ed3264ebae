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
 * A body without its request's uid, by which alone two reviews of one thing differ. Two are equal
 * if all their other bytes are.
 */
final class Envelope {
    private static final JsonFactory JSON = new JsonFactory();

    private final byte[] body;
    private final String uid;

    /** Where the uid begins, its quotation mark included. */
    private final int from;

    /** Where what follows the uid begins. */
    private final int to;

    private final int hash;

    private Envelope(byte[] body, String uid, int from) {
        this.body = body;
        this.uid = uid;
        this.from = from;
        this.to = from + uid.length() + 2;
        var sum = new CRC32C();
        sum.update(body, 0, from);
        sum.update(body, to, body.length - to);
        this.hash = (int) sum.getValue();
    }

    /**
     * Empty unless the uid comes first in the request and needs no escapes, as the API server
     * writes it. The body is not copied, and must not change.
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
                    ? Optional.of(new Envelope(body, uid, from))
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    String uid() {
        return uid;
    }

    /** In bytes. */
    int size() {
        return body.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Envelope that
                && hash == that.hash
                && Arrays.equals(body, 0, from, that.body, 0, that.from)
                && Arrays.equals(body, to, body.length, that.body, that.to, that.body.length);
    }

    @Override
    public int hashCode() {
        return hash;
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
