// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.List;

/**
 * Values under a name that looks like a secret's, such as {@code password=b1}. Names are read
 * backwards from their separator: no character is part of two names, however the text is made.
 */
final class NamedSecrets {
    private static final List<String> WORDS =
            List.of(
                    "password",
                    "passwd",
                    "secret",
                    "token",
                    "credential",
                    "apikey",
                    "api-key",
                    "access-key",
                    "access.key",
                    "private-key",
                    "private.key");

    /** Of a longer name such as {@code secret.access.key}. */
    private static final List<String> PARTS = List.of("access", "key", "value");

    private NamedSecrets() {}

    static String hide(CharSequence text) {
        var shown = new Shown(text);
        for (int at = 0; at < text.length(); at++) {
            if (Characters.isSeparator(text.charAt(at)) && isSecret(text, at, shown.copied())) {
                SecretValue.at(text, Characters.afterBlanks(text, at + 1))
                        .ifPresent(value -> shown.hide(value.start(), value.end()));
                at = Math.max(at, shown.copied() - 1);
            }
        }
        return shown.text();
    }

    /**
     * Whether the name before {@code separator} is a secret's; it begins at {@code from} or later.
     */
    private static boolean isSecret(CharSequence text, int separator, int from) {
        int end = Characters.endOfName(text, separator, from);
        int start = end;
        while (start > from && Characters.isName(text.charAt(start - 1))) {
            start--;
        }
        return isSecretName(text, start, end);
    }

    /**
     * Whether a name has one of the words, and after it nothing or such as {@code -key_2} or {@code
     * .access}. Each place is looked at once, the last one first.
     */
    private static boolean isSecretName(CharSequence text, int start, int end) {
        // whether what stands from a place on may follow a word, or go on with a part such as -key
        boolean[] follows = new boolean[end - start + 1];
        boolean[] goesOn = new boolean[end - start + 1];
        follows[end - start] = true;
        for (int at = end - 1; at >= start; at--) {
            char c = text.charAt(at);
            int i = at - start;
            goesOn[i] = Characters.isWord(c) && (follows[i + 1] || goesOn[i + 1]);
            follows[i] =
                    ((c == '-' || c == '_') && goesOn[i + 1])
                            || (c == '.' && isPart(text, at + 1, start, end, follows));
            if (isWord(text, at, start, end, follows)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPart(
            CharSequence text, int at, int start, int end, boolean[] follows) {
        for (String part : PARTS) {
            if (Characters.hasAnyCaseAt(text, at, end, part)
                    && follows[at + part.length() - start]) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWord(
            CharSequence text, int at, int start, int end, boolean[] follows) {
        char first = Characters.lower(text.charAt(at));
        for (String word : WORDS) {
            if (word.charAt(0) == first
                    && Characters.hasAnyCaseAt(text, at, end, word)
                    && follows[at + word.length() - start]) {
                return true;
            }
        }
        return false;
    }
}
