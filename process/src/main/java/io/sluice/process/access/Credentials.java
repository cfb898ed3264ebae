// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the {@code Authorization} header of a request says. */
sealed interface Credentials {

    /** The request has no such header. */
    record Missing() implements Credentials {}

    /**
     * The header can't be a bearer token; nobody is asked about it.
     *
     * @param why for the caller; it doesn't repeat the header
     */
    record Malformed(String why) implements Credentials {}

    /**
     * A bearer token that somebody may own.
     *
     * @param digest SHA-256 of the token, in hexadecimal
     */
    record BearerToken(String token, String digest) implements Credentials {
        /** A token must not reach a log. */
        @Override
        public String toString() {
            return "BearerToken[" + digest + "]";
        }
    }

    /** The longest token that is asked about, in characters. */
    int LONGEST = 6 * 1024;

    /** The grammar of RFC 6750, section 2.1. */
    Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9._~+/-]++=*+");

    String SCHEME = "bearer ";

    static Credentials of(Optional<String> header) {
        return header.map(Credentials::read).orElseGet(Missing::new);
    }

    private static Credentials read(String header) {
        if (header.length() > SCHEME.length() + LONGEST) {
            return new Malformed("the Authorization header has more than 6 KiB");
        }
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new Malformed("the Authorization header must be 'Bearer TOKEN'");
        }
        String token = header.substring(SCHEME.length()).strip();
        return GRAMMAR.matcher(token).matches()
                ? new BearerToken(token, digest(token))
                : new Malformed("the token has characters that no bearer token has (RFC 6750)");
    }

    private static String digest(String token) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
