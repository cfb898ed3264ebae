// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long texts are cut before they are read, wherever in a secret that is. */
class RedactionCutTest {
    private static final String KNOWN = "KNOWN one, KNOWN two \"KNOWN\" three KNOWN";
    private static final int CUT_AT = Redaction.LONGEST - 128;
    private final Redaction redaction =
            Redaction.of(new FlinkConfiguration(Map.of("s3.secret-key", KNOWN)));

    @ParameterizedTest
    @ValueSource(
            strings = {
                KNOWN,
                "password=KNOWNKNOWNKNOWN",
                "\"password\":\"KNOWN KNOWN, KNOWN\"",
                "name=DB_TOKEN, value=\"KNOWN KNOWN\"",
                "eyJKNOWNKNOWN.eyJKNOWNKNOWN.KNOWN-KNOWN_KNOWN",
                "AKIAKNOWNKNOWNKNOWNK",
                "ghp_KNOWNKNOWNKNOWNKNOWNKNOWN",
                "Bearer KNOWN/KNOWN+KNOWN==",
                "https://user:KNOWN\"KNOWN,KNOWN@host/",
                "-----BEGIN PRIVATE KEY-----\nKNOWN\nKNOWN\n-----END PRIVATE KEY-----",
            })
    void aSecretThatIsCutIsNotShownAnywhereItIsCut(String secret) {
        IntStream.rangeClosed(0, secret.length() + 2)
                .mapToObj(read -> "x".repeat(CUT_AT - read - 2) + ", " + secret + " y".repeat(500))
                .forEach(
                        text ->
                                assertThat(redaction.apply(text))
                                        .contains("(cut: ")
                                        .doesNotContain("KNOWN"));
    }

    @Test
    void aTextThatIsCutSaysSo() {
        String text = "word ".repeat(20_000);

        assertThat(redaction.apply(text))
                .startsWith("word word ")
                .endsWith(" … (cut: 65405 of 100000 characters are shown)")
                .hasSizeLessThanOrEqualTo(Redaction.LONGEST);
        assertThat(redaction.apply(redaction.apply(text))).isEqualTo(redaction.apply(text));
    }

    @Test
    void aTextThatIsNotTooLongIsNotCut() {
        String text = "word ".repeat(Redaction.LONGEST / 5);

        assertThat(redaction.apply(text)).isEqualTo(text);
    }

    @Test
    void halfACharacterIsNotShown() {
        String text = "\uD83D\uDE00".repeat(Redaction.LONGEST);

        assertThat(redaction.apply(text)).startsWith("\uD83D\uDE00").contains("\uDE00 … (cut: ");
        assertThat(redaction.apply("x" + text)).contains("\uDE00 … (cut: ");
    }

    @Test
    void aPrivateKeyWithoutItsEndIsHiddenToTheEnd() {
        assertThat(redaction.apply("is -----BEGIN RSA PRIVATE KEY-----\nMII\n\tat x"))
                .isEqualTo("is ******");
    }

    @Test
    void secretsThatOverlapAreHiddenAsOne() {
        Redaction both =
                Redaction.of(
                        new FlinkConfiguration(
                                Map.of("a.secret", "abcd", "b.secret", "cdefgh", "c.token", "ab")));

        assertThat(both.apply("x abcdefgh abcd ab")).isEqualTo("x ****** ****** ab");
    }

    @Test
    void moreSecretsThanCanBeComparedLeaveTheTextOut() {
        Redaction many =
                Redaction.of(
                        new FlinkConfiguration(
                                Map.of(
                                        "a.secret",
                                        "a".repeat(40_000),
                                        "b.token",
                                        "b".repeat(40_000))));

        assertThat(many.apply("whatever"))
                .isEqualTo(
                        "(not shown: the configuration has more than 65536 characters of secrets)");
        assertThat(many.apply("")).isEmpty();
    }
}
