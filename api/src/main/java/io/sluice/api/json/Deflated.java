// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntConsumer;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * JSON in few bytes, for caches: ten thousand parsed resources would be many times the heap. The
 * format is nobody else's and never stored.
 */
public final class Deflated {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Deflated() {}

    /** What {@code value} is as JSON, deflated. */
    public static byte[] of(Object value) {
        return of(value, _ -> {});
    }

    /**
     * Returns the same as {@link #of(Object)}.
     *
     * @param length is told how many bytes the JSON had
     */
    public static byte[] of(Object value, IntConsumer length) {
        var deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            var bytes = new ByteArrayOutputStream();
            try (var out = new DeflaterOutputStream(bytes, deflater)) {
                JSON.writeValue(out, value);
            }
            length.accept(Math.toIntExact(deflater.getBytesRead()));
            return bytes.toByteArray();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            deflater.end();
        }
    }

    /** A new value each time, of what {@link #of} gave. */
    public static <T> T read(byte[] bytes, Class<T> type) {
        var inflater = new Inflater(true);
        try (var in = new InflaterInputStream(new ByteArrayInputStream(bytes), inflater)) {
            return JSON.readValue(in, type);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            inflater.end();
        }
    }
}
