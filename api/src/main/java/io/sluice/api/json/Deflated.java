// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
    /** A type may have a part of the fields only. */
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final byte[] NOTHING = {};

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
        return deflated(value, Deflater.BEST_SPEED, NOTHING, length);
    }

    /** A new value each time, of what {@link #of} gave. */
    public static <T> T read(byte[] bytes, Class<T> type) {
        return inflated(bytes, NOTHING, type);
    }

    /**
     * JSON that is much like an example: what it has in common with the example takes next to no
     * bytes, which counts where values are small and many (the preset dictionary of RFC 1950,
     * section 2.3). What was deflated with one example can be read with no other.
     */
    public static final class Like {
        private final byte[] example;

        /**
         * @param example the JSON of a typical value; deflate looks back 32 KiB, so it has to be
         *     shorter
         */
        public Like(String example) {
            this.example = example.getBytes(StandardCharsets.UTF_8);
        }

        /** What {@code value} is as JSON, deflated. */
        public byte[] of(Object value) {
            return deflated(value, Deflater.DEFAULT_COMPRESSION, example, _ -> {});
        }

        /** A new value each time, of what {@link #of} gave. */
        public <T> T read(byte[] bytes, Class<T> type) {
            return inflated(bytes, example, type);
        }
    }

    private static byte[] deflated(Object value, int level, byte[] example, IntConsumer length) {
        var deflater = new Deflater(level, true);
        try {
            deflater.setDictionary(example);
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

    private static <T> T inflated(byte[] bytes, byte[] example, Class<T> type) {
        var inflater = new Inflater(true);
        inflater.setDictionary(example);
        try (var in = new InflaterInputStream(new ByteArrayInputStream(bytes), inflater)) {
            return JSON.readValue(in, type);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            inflater.end();
        }
    }
}
