// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

/**
 * Counts the values and names of a JSON body without reading it: a list of a few characters each
 * takes a hundred times its bytes once it is read, and again as much by what the rules make of it.
 */
public final class BodyParts {
    /** So many are read with the image's heap while all bodies that may be held are held. */
    public static final int MOST = 50_000;

    /** What a part counts for among the bytes that are worked on at once. */
    private static final int BYTES = 20;

    private BodyParts() {}

    /** Whatever is no JSON is counted all the same. */
    public static int count(byte[] body) {
        int parts = 0;
        boolean quoted = false;
        for (int at = 0; at < body.length; at++) {
            byte each = body[at];
            if (quoted) {
                if (each == '\\') {
                    at++;
                } else if (each == '"') {
                    quoted = false;
                }
            } else {
                switch (each) {
                    case '"' -> quoted = true;
                    case '{', '[', ':', ',' -> parts++;
                    default -> {}
                }
            }
        }
        return parts;
    }

    /** What a body counts for while it is worked on. */
    public static int weight(byte[] body, int parts) {
        return body.length + BYTES * parts;
    }
}
