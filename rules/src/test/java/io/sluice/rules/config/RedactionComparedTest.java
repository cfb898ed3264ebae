// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was hidden by regular expressions is hidden without them, and nothing else. */
class RedactionComparedTest {
    private static final int TEXTS = 15_000;
    private static final int LONGEST = 14;
    private static final FlinkConfiguration CONFIGURATION =
            new FlinkConfiguration(
                    Map.of(
                            "s3.secret-key",
                            "hunter22",
                            "a.token",
                            "x'y z",
                            "b.password",
                            "$1\\,&"));

    private static final List<String> PIECES =
            List.of(
                    "password",
                    "PASSWD",
                    "Secret",
                    "token",
                    "credential",
                    "apikey",
                    "api-key",
                    "api_key",
                    "api.key",
                    "access-key",
                    "access.key",
                    "accessKey",
                    "private_key",
                    "private.key",
                    ".access",
                    ".key",
                    ".value",
                    "_a",
                    "-a",
                    "-",
                    "_",
                    ".",
                    "name",
                    "Name",
                    "rename",
                    "value",
                    "VALUE",
                    "=",
                    ":",
                    "\"",
                    "'",
                    "\\",
                    "\\\"",
                    "\\\\\"",
                    " ",
                    "  ",
                    "\n",
                    "\t",
                    "\u2028",
                    "\u0085",
                    ",",
                    ", ",
                    ";",
                    "&",
                    "eyJ",
                    "abcdefgh",
                    "eyJabcdefgh.abcdefgh.",
                    "AKIA",
                    "ASIA",
                    "AKIAABCDEFGHIJKLMNOP",
                    "ABCDEFGHIJKLMNOP",
                    "ghp_",
                    "ghs_abcdefghijklmnopqrst",
                    "Bearer ",
                    "bearer ",
                    "a+b/c~d.e=",
                    "==",
                    "-----BEGIN PRIVATE KEY-----",
                    "-----BEGIN EC PRIVATE KEY-----x",
                    "-----END EC PRIVATE KEY-----",
                    "-----END PRIVATE KEY-----",
                    "-----BEGIN ",
                    "PRIVATE KEY-----",
                    "://",
                    "https://",
                    "https:\\/\\/",
                    "user:",
                    "user:pass@",
                    "@",
                    "/",
                    "b1",
                    "$1",
                    "é",
                    "\uD83D\uDE00",
                    "hunter22",
                    "x'y z",
                    "$1\\,&",
                    "\"name\":\"DB_PASSWORD\",\"value\":\"b c\"",
                    "name=MY_TOKEN, value=b1",
                    "name: 'my.api_key'",
                    ", value: ",
                    "password=",
                    "token: \"",
                    "secret.access.key = ");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void textsMadeOfPiecesOfSecretsAreShownAsBefore(long seed) {
        var random = new Random(seed);
        RedactionByPatterns before = RedactionByPatterns.of(CONFIGURATION);
        Redaction now = Redaction.of(CONFIGURATION);
        for (int i = 0; i < TEXTS; i++) {
            String text =
                    random.ints(1 + random.nextInt(LONGEST), 0, PIECES.size())
                            .mapToObj(PIECES::get)
                            .collect(Collectors.joining());
            String expected = before.apply(text);
            if (!expected.contains("PRIVATE KEY-----")) {
                assertThat(now.apply(text)).as("seed %d: %s", seed, text).isEqualTo(expected);
            } else {
                hidesNoLess(expected, now.apply(text), text);
            }
        }
    }

    /**
     * A private key without an end is hidden to the end of the text; before that all is the same.
     */
    private static void hidesNoLess(String before, String now, String text) {
        if (!now.equals(before)) {
            assertThat(now).as(text).endsWith(SecretKeys.HIDDEN);
            assertThat(before)
                    .as(text)
                    .startsWith(
                            now.substring(0, now.length() - SecretKeys.HIDDEN.length())
                                    + "-----BEGIN ");
        }
    }
}
