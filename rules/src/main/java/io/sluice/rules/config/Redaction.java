// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.List;

/**
 * Text of others, such as a stack trace, without what must not be shown: the values of secret
 * options, and what stands in the text under a name that looks like a secret's.
 *
 * <p>Whoever may write a resource, and every job, may choose this text. No part of it is read with
 * a regular expression; the time is in proportion to the text's length, whatever it is, and of a
 * long text no more than {@value #LONGEST} characters are read.
 */
public final class Redaction {
    /** What is longer is cut, and says so. */
    public static final int LONGEST = 65_536;

    /** Room for what a text that is cut says. */
    private static final int NOTE = 128;

    /** Shorter ones would blot out words that only look like them. */
    private static final int SHORTEST = 4;

    /** All secrets of a configuration together: more of them are not compared with a text. */
    private static final int MOST_SECRETS = 65_536;

    private final KnownSecrets secrets;
    private final boolean tooMany;

    private Redaction(List<String> secrets) {
        tooMany = secrets.stream().mapToLong(String::length).sum() > MOST_SECRETS;
        this.secrets = new KnownSecrets(tooMany ? List.of() : secrets);
    }

    /** Knows the secrets of {@code configuration}. */
    public static Redaction of(FlinkConfiguration configuration) {
        return new Redaction(
                configuration.entries().entrySet().stream()
                        .filter(entry -> SecretKeys.isSecret(entry.getKey()))
                        .map(entry -> entry.getValue().strip())
                        .filter(value -> value.length() >= SHORTEST)
                        .toList());
    }

    /** The text without secrets; its beginning, if it is longer than {@value #LONGEST}. */
    public String apply(String text) {
        if (tooMany && !text.isEmpty()) {
            return "(not shown: the configuration has more than "
                    + MOST_SECRETS
                    + " characters of secrets)";
        }
        if (text.length() <= LONGEST) {
            return hidden(text, false);
        }
        String beginning = beginning(text);
        return hidden(beginning, true)
                + " … (cut: "
                + beginning.length()
                + " of "
                + text.length()
                + " characters are shown)";
    }

    private String hidden(String text, boolean cut) {
        String shown = NamedSecrets.hide(secrets.hide(text, cut));
        return UrlPasswords.hide(SecretShapes.hide(SecretVariables.hide(shown)), cut);
    }

    /**
     * A token of which only the beginning is there no longer looks like one: a text is cut before
     * what may be part of a token.
     */
    private static String beginning(String text) {
        int end = LONGEST - NOTE;
        while (end > 0 && Characters.isToken(text.charAt(end - 1))) {
            end--;
        }
        boolean halves = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, halves ? end - 1 : end);
    }
}
