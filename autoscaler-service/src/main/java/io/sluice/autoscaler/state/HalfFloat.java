// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

/**
 * The upper half of a float: its range, with eight significant bits. Exact for whole numbers up to
 * 256.
 */
public final class HalfFloat {
    public static final short UNKNOWN = packed(Float.NaN);

    private static final int HALF = 0x7fff;

    private HalfFloat() {}

    /** Rounded. */
    public static short packed(float value) {
        int bits = Float.floatToIntBits(value);
        return (short) ((Float.isFinite(value) ? bits + HALF : bits) >>> Short.SIZE);
    }

    public static float unpacked(short bits) {
        return Float.intBitsToFloat(bits << Short.SIZE);
    }
}
