// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A body by which two reviews of one update can be recognized as the same. They differ only in the
 * request's uid and in the object's generation, which the API server raises between the two, so
 * that everything else of the body is compared. {@link ReviewReader} reads no generation, so
 * nothing can depend on it.
 */
final class Envelope {
    private static final JsonFactory JSON = new JsonFactory();

    private final String uid;
    private final byte[] body;
    private final List<Part> parts;
    private final Mark mark;

    /** Bytes of the body. */
    private record Part(int from, int to) {
        int length() {
            return to - from;
        }
    }

    /**
     * The same for the same content; what has the same need not be the same.
     *
     * @param checksum of the content
     * @param ends where in the content a value was left out, and where it ends
     */
    record Mark(long checksum, List<Integer> ends) {
        Mark {
            ends = List.copyOf(ends);
        }

        /** The size of the content in bytes. */
        int length() {
            return ends.getLast();
        }
    }

    /**
     * @param without what is left out of {@code body}, in its order
     */
    private Envelope(String uid, byte[] body, List<Part> without) {
        this.uid = uid;
        this.body = body;
        this.parts = parts(body.length, without);
        this.mark = computeMark();
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
            if (to - from != uid.length() + 2) {
                return Optional.empty();
            }
            List<Part> without = new ArrayList<>(2);
            without.add(new Part(from, to));
            generation(parser).ifPresent(without::add);
            return Optional.of(new Envelope(uid, body, without));
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
        int written = 0;
        for (Part part : parts) {
            System.arraycopy(body, part.from, into, written, part.length());
            written += part.length();
        }
    }

    /** Whether one with the same mark wrote the same to the beginning of {@code copy}. */
    boolean isIn(byte[] copy) {
        int read = 0;
        for (Part part : parts) {
            int end = read + part.length();
            if (!Arrays.equals(body, part.from, part.to, copy, read, end)) {
                return false;
            }
            read = end;
        }
        return true;
    }

    private static List<Part> parts(int length, List<Part> without) {
        List<Part> parts = new ArrayList<>(without.size() + 1);
        int from = 0;
        for (Part each : without) {
            parts.add(new Part(from, each.from));
            from = each.to;
        }
        parts.add(new Part(from, length));
        return parts;
    }

    private Mark computeMark() {
        var sum = new CRC32C();
        int length = 0;
        List<Integer> ends = new ArrayList<>(parts.size());
        for (Part part : parts) {
            sum.update(body, part.from, part.length());
            length += part.length();
            ends.add(length);
        }
        return new Mark(sum.getValue(), ends);
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

    /** The API server writes an object's fields in order: all that is long comes after it. */
    private static Optional<Part> generation(JsonParser parser) throws IOException {
        boolean found =
                reaches(parser, "object", JsonToken.START_OBJECT)
                        && reaches(parser, "metadata", JsonToken.START_OBJECT)
                        && reaches(parser, "generation", JsonToken.VALUE_NUMBER_INT);
        if (!found) {
            return Optional.empty();
        }
        int from = (int) parser.currentTokenLocation().getByteOffset();
        return Optional.of(new Part(from, from + parser.getTextLength()));
    }

    /** Leaves {@code parser} at the field's value, passing over the fields before it. */
    private static boolean reaches(JsonParser parser, String field, JsonToken value)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isIt = parser.currentName().equals(field);
            JsonToken token = parser.nextToken();
            if (isIt) {
                return token == value;
            }
            parser.skipChildren();
        }
        return false;
    }
}
