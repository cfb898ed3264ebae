// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import java.io.IOException;
import java.io.InputStream;

/**
 * How many bytes may still be read of what is stored of one job. Anyone who may edit the ConfigMap
 * could put something in that is small only as long as it is packed.
 */
final class Room {
    private int left;
    private long read;

    /**
     * @param bytes that may be read in all
     */
    Room(int bytes) {
        left = bytes;
    }

    /**
     * Reads {@code in} to its end, but no more than fits and one byte.
     *
     * @throws TooLargeException if it does not fit: nothing of it is returned, and there is as much
     *     room as before
     */
    byte[] take(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(left + 1);
        read += bytes.length;
        take(bytes.length);
        return bytes;
    }

    /**
     * Takes the room of {@code bytes} that were read already.
     *
     * @throws TooLargeException if there is not as much
     */
    void take(int bytes) throws TooLargeException {
        if (bytes > left) {
            throw new TooLargeException("more than the " + left + " bytes that are left for it");
        }
        left -= bytes;
    }

    /** Bytes that were unpacked so far, those included that did not fit. */
    long read() {
        return read;
    }
}
