// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Job ids: derived, never random, so that a repeated pass names the same attempt and a new attempt
 * never re-uses a name.
 */
final class Attempt {
    private static final int BYTES = 16;

    private Attempt() {}

    /** The id of the attempt after {@code previous}: 32 hexadecimal digits. */
    static String jobId(String uid, long generation, Optional<String> previous) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(
                                    (uid + "/" + generation + "/" + previous.orElse(""))
                                            .getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
