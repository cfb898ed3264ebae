// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Text packed for a ConfigMap: gzip, then base64. */
final class Gzip {
    private Gzip() {}

    static String pack(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * Text that was not packed is returned as it is.
     *
     * @throws TooLargeException if it unpacks to more than there is room for
     * @throws IOException if it is broken
     */
    static String unpack(String packed, Room room) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(packed.strip());
        } catch (IllegalArgumentException notPacked) {
            return plain(packed, room);
        }
        if (bytes.length < 2 || bytes[0] != 0x1f || bytes[1] != (byte) 0x8b) {
            return plain(packed, room);
        }
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(room.take(gzip), StandardCharsets.UTF_8);
        }
    }

    /** A character takes a byte or more. */
    static String plain(String text, Room room) throws TooLargeException {
        room.take(text.length());
        return text;
    }
}
