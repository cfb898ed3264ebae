// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a job's ConfigMap held when it was last read or written. It is known by its digest: the text
 * itself would be a good part of the memory that a job takes.
 *
 * @param digest of the data (SHA-256)
 * @param version by which the API server tells that it is still the same; empty if there was none
 */
public record Stored(String digest, Optional<String> version) {
    public static final Stored NOTHING = of(Map.of(), Optional.empty());

    static Stored of(Map<String, String> data, Optional<String> version) {
        return new Stored(digest(data), version);
    }

    /** Whether {@code data} is what it holds. */
    public boolean holds(Map<String, String> data) {
        return digest.equals(digest(data));
    }

    private static String digest(Map<String, String> data) {
        MessageDigest digest = sha256();
        new TreeMap<>(data)
                .forEach(
                        (key, value) -> {
                            digest.update(
                                    (key.length() + ":" + value.length() + ":").getBytes(UTF_8));
                            digest.update(key.getBytes(UTF_8));
                            digest.update(value.getBytes(UTF_8));
                        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
