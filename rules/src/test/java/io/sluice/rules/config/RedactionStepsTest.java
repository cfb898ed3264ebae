// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts what is read of texts that nearly are secrets, again and again. */
class RedactionStepsTest {
    private static final int LENGTH = 100_000;

    /** Of the many texts that are made by putting pieces together. */
    private static final int SHORT = 3_000;

    private static final int READS_A_CHARACTER = 24;

    /** What the passes look for, whole and in parts. */
    private static final List<String> PIECES =
            List.of(
                    "secret",
                    "_a",
                    "-a",
                    "-",
                    "_",
                    "__",
                    "a",
                    ".access",
                    ".key",
                    ".value",
                    ".",
                    "name",
                    "value",
                    "name=",
                    "name:\"",
                    "password",
                    "api-key",
                    "=",
                    ":",
                    "= ",
                    "\"",
                    "'",
                    "\\",
                    "\\\"",
                    "\\\\",
                    " ",
                    "\t",
                    "\n",
                    ",",
                    ",value=",
                    "eyJ",
                    "-eyJ",
                    "eyJabcdefgh.",
                    "AKIA",
                    "ghp_",
                    "Bearer ",
                    "-----",
                    "-----BEGIN ",
                    "-----BEGIN PRIVATE KEY-----",
                    "PRIVATE KEY",
                    "-----END ",
                    "://",
                    ":",
                    "://a:",
                    ":\\/\\/",
                    "@",
                    "x",
                    "é",
                    "\uD83D\uDE00");

    private static final List<String> SECRETS =
            List.of("aaaaaaaaaaaaaaaab", "aaaa_a_a_a_ac", "abab", "babb");

    @ParameterizedTest(name = "{0}")
    @MethodSource("passes")
    void eachPassReadsACharacterSoManyTimesWhateverTheTextIs(
            String name, Consumer<CharSequence> pass) {
        pairs().forEach(text -> isLinear(name, pass, text, SHORT));
        known().forEach(text -> isLinear(name, pass, text, LENGTH));
    }

    private static void isLinear(String name, Consumer<CharSequence> pass, Text text, int length) {
        long once = reads(pass, text.apply(length / 2));
        long twice = reads(pass, text.apply(length));
        assertThat(twice).as("%s of %s", name, text).isLessThanOrEqualTo((long) (2.2 * once) + 200);
    }

    static Stream<Arguments> passes() {
        var known = new KnownSecrets(SECRETS);
        return Stream.of(
                pass("known secrets", text -> known.hide(text, true)),
                pass("named secrets", NamedSecrets::hide),
                pass("variables", SecretVariables::hide),
                pass("shapes", SecretShapes::hide),
                pass("passwords in URLs", text -> UrlPasswords.hide(text, true)));
    }

    private static Arguments pass(String name, Consumer<CharSequence> pass) {
        return Arguments.of(name, pass);
    }

    /** One piece repeated to half of the length, and another one to the other half. */
    private record Text(String beginning, String repeated, String middle, String second) {
        String apply(int length) {
            return beginning
                    + repeated.repeat(length / repeated.length() / 2)
                    + middle
                    + second.repeat(length / second.length() / 2);
        }
    }

    /** Each two pieces, in turn and one after the other, after each that may begin something. */
    private static Stream<Text> pairs() {
        return PIECES.stream()
                .flatMap(
                        a ->
                                PIECES.stream()
                                        .flatMap(
                                                b ->
                                                        Stream.of(
                                                                new Text("", a + b, "", a + b),
                                                                new Text(a, b, "\u0000", b),
                                                                new Text("", a, "", b))));
    }

    /** Each piece alone, and what is known to be hard. */
    private static Stream<Text> known() {
        return Stream.concat(
                PIECES.stream().map(piece -> new Text("", piece, "", piece)),
                Stream.of(
                        new Text("name=a_token,value=\"", "\\", "\"", "\\"),
                        new Text("secret='", "\\", "'", "\\"),
                        new Text("secret", "_a", "", "_a"),
                        new Text("secret", "_secret", "!", "_a"),
                        new Text("", "secret_a=\\\"", "", "\\\""),
                        new Text("", "name=a_token , ", "value", "="),
                        new Text("", "-----BEGIN RSA PRIVATE KEY-----", "", "-----END "),
                        new Text("", "-eyJaaaaaaaa", ".", "-eyJaaaaaaaa")));
    }

    private static long reads(Consumer<CharSequence> pass, String text) {
        var counted = new CountedText(text, (long) READS_A_CHARACTER * text.length() + 200);
        pass.accept(counted);
        return counted.reads();
    }

    @Test
    @Timeout(10)
    void aNameOfManyPartsThatIsNoNameIsReadAtOnce() {
        String text = "secret" + "_a".repeat(LENGTH) + "!";

        assertThat(Redaction.of(FlinkConfiguration.EMPTY).apply(text)).contains("(cut: ");
        assertThat(Redaction.of(FlinkConfiguration.EMPTY).apply(text.substring(0, 80) + "!"))
                .isEqualTo(text.substring(0, 80) + "!");
    }

    @Test
    @Timeout(10)
    void aThousandSecretsThatAreAlikeAreLookedForAtOnce() {
        FlinkConfiguration configuration =
                new FlinkConfiguration(
                        IntStream.range(0, 1_000)
                                .boxed()
                                .collect(
                                        toMap(
                                                i -> "secret." + i,
                                                i -> "a".repeat(40) + (char) ('\u0400' + i))));

        assertThat(Redaction.of(configuration).apply("a".repeat(60_000)))
                .isEqualTo("a".repeat(60_000));
    }
}
