// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

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
    private static final int LONGEST = 20 * 1024 * 1024;

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
     * Text that was not packed is returned as it is. Throws {@link IOException} for text that is
     * broken or unpacks to more than 20 MB: anyone who may edit the ConfigMap could put a bomb in.
     */
    static String unpack(String packed) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(packed.strip());
        } catch (IllegalArgumentException notPacked) {
            return packed;
        }
        if (bytes.length < 2 || bytes[0] != 0x1f || bytes[1] != (byte) 0x8b) {
            return packed;
        }
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] text = gzip.readNBytes(LONGEST + 1);
            if (text.length > LONGEST) {
                throw new IOException("unpacks to more than " + LONGEST + " bytes");
            }
            return new String(text, StandardCharsets.UTF_8);
        }
    }
}
