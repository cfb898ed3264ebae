// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What has arrived of a body. Not safe for several threads. */
final class ReceivedBody {
    private final Segments segments;
    private final List<byte[]> parts = new ArrayList<>(1);
    private int capacity;
    private int size;

    ReceivedBody(Segments segments) {
        this.segments = segments;
    }

    int size() {
        return size;
    }

    /** Bytes of memory that it occupies. */
    int capacity() {
        return capacity;
    }

    /**
     * Bytes of memory that it will occupy with {@code more} bytes: whole segments, but never more
     * than was announced.
     *
     * @param announced the size of the whole body; negative if nobody knows
     */
    int capacityWith(int more, long announced) {
        int needed = size + more;
        int rounded = Math.ceilDiv(needed, Segments.SIZE) * Segments.SIZE;
        return Math.max(
                capacity, announced < needed ? rounded : (int) Math.min(rounded, announced));
    }

    /** Takes all of {@code chunk}, in as much memory as {@link #capacityWith} says. */
    void add(ByteBuffer chunk, long announced) {
        int target = capacityWith(chunk.remaining(), announced);
        while (capacity < target) {
            int missing = target - capacity;
            byte[] part = missing < Segments.SIZE ? new byte[missing] : segments.take();
            parts.add(part);
            capacity += part.length;
        }
        while (chunk.hasRemaining()) {
            byte[] part = parts.get(size / Segments.SIZE);
            int at = size % Segments.SIZE;
            int many = Math.min(chunk.remaining(), part.length - at);
            chunk.get(part, at, many);
            size += many;
        }
    }

    /** All of it in one array; nothing is left here. */
    byte[] takeAll() {
        byte[] whole;
        if (parts.size() == 1 && parts.getFirst().length == size) {
            whole = parts.getFirst();
            parts.clear();
        } else {
            whole = new byte[size];
            int at = 0;
            for (byte[] part : parts) {
                int many = Math.min(part.length, size - at);
                System.arraycopy(part, 0, whole, at, many);
                at += many;
            }
        }
        clear();
        return whole;
    }

    /** Lets go of what has arrived. */
    void clear() {
        parts.forEach(segments::giveBack);
        parts.clear();
        capacity = 0;
        size = 0;
    }
}
