// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * A body told apart from others by all of it but its request's uid, by which alone two reviews of
 * one thing differ.
 *
 * @param content a digest that nobody can find a second body for
 */
record Envelope(String uid, ByteBuffer content) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Empty unless the uid comes first in the request and needs no escapes, as the API server
     * writes it. Of the body only the digest is kept: bodies that outlive their request would be
     * most of what the collector has to move.
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
                    ? Optional.of(new Envelope(uid, digest(body, from, to)))
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    /** Of the body without what lies between {@code from} and {@code to}, and of where that was. */
    private static ByteBuffer digest(byte[] body, int from, int to) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(from).flip());
            digest.update(body, 0, from);
            digest.update(body, to, body.length - to);
            return ByteBuffer.wrap(digest.digest()).asReadOnlyBuffer();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
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
