// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.List;

/**
 * Values of environment variables with a name that looks like a secret's, where name and value
 * stand side by side: {@code "name": "DB_PASSWORD", "value": "b1"}. What is read after one such
 * name ends at the next separator, so that nothing is read more than twice.
 */
final class SecretVariables {
    private static final List<String> WORDS =
            List.of(
                    "password",
                    "passwd",
                    "secret",
                    "token",
                    "credential",
                    "apikey",
                    "api-key",
                    "api.key",
                    "api_key",
                    "accesskey",
                    "access-key",
                    "access.key",
                    "access_key",
                    "privatekey",
                    "private-key",
                    "private.key",
                    "private_key");
    private static final String NAME = "name";
    private static final String VALUE = "value";
    private static final int NONE = -1;

    private SecretVariables() {}

    static String hide(CharSequence text) {
        var shown = new Shown(text);
        for (int at = 0; at < text.length(); at++) {
            if (Characters.isSeparator(text.charAt(at)) && isName(text, at, shown.copied())) {
                int value = value(text, at + 1);
                if (value != NONE) {
                    SecretValue.at(text, value)
                            .ifPresent(found -> shown.hide(found.start(), found.end()));
                    at = Math.max(at, shown.copied() - 1);
                }
            }
        }
        return shown.text();
    }

    private static boolean isName(CharSequence text, int separator, int from) {
        int start = Characters.endOfName(text, separator, from) - NAME.length();
        return start >= from
                && Characters.hasAnyCaseAt(text, start, text.length(), NAME)
                && (start == 0 || !Characters.isWord(text.charAt(start - 1)));
    }

    /** Where the value is of a variable whose name begins at {@code from}, if it is a secret. */
    private static int value(CharSequence text, int from) {
        int start = Characters.afterQuote(text, Characters.afterBlanks(text, from));
        int end = Characters.afterName(text, start);
        int comma = Characters.afterBlanks(text, Characters.afterQuote(text, end));
        if (comma == text.length() || text.charAt(comma) != ',' || !isSecret(text, start, end)) {
            return NONE;
        }
        int key = Characters.afterQuote(text, Characters.afterBlanks(text, comma + 1));
        if (!Characters.hasAnyCaseAt(text, key, text.length(), VALUE)) {
            return NONE;
        }
        int separator =
                Characters.afterBlanks(text, Characters.afterQuote(text, key + VALUE.length()));
        return separator < text.length() && Characters.isSeparator(text.charAt(separator))
                ? Characters.afterBlanks(text, separator + 1)
                : NONE;
    }

    private static boolean isSecret(CharSequence text, int start, int end) {
        for (int at = start; at < end; at++) {
            char first = Characters.lower(text.charAt(at));
            for (String word : WORDS) {
                if (word.charAt(0) == first && Characters.hasAnyCaseAt(text, at, end, word)) {
                    return true;
                }
            }
        }
        return false;
    }
}
