// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.Optional;

/**
 * What is to be hidden of the value after a name: in quotes, escaped or not, to where they end on
 * this line; else to the next blank or comma.
 *
 * @param start after the opening quote, if there is one
 * @param end before the closing quote
 */
record SecretValue(int start, int end) {
    /** The value whose first character, a quote or not, is at {@code at}. */
    static Optional<SecretValue> at(CharSequence text, int at) {
        int first = Characters.afterBackslashes(text, at);
        if (first == text.length()) {
            return Optional.empty();
        }
        char quote = text.charAt(first);
        boolean quoted = Characters.isQuote(quote);
        int start = quoted ? first + 1 : first;
        int end = quoted ? endOfQuoted(text, start, first - at, quote) : endOfPlain(text, start);
        return end == start
                ? Optional.empty()
                : Optional.of(new SecretValue(quoted ? start : at, end));
    }

    private static int endOfPlain(CharSequence text, int start) {
        int end = start;
        while (end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isPlain(char c) {
        return !Characters.isBlank(c)
                && !Characters.isQuote(c)
                && c != ','
                && c != ';'
                && c != '&'
                && c != '\\';
    }

    /**
     * The closing quote has as many backslashes before it as the opening one. How far a run of
     * backslashes goes is looked up once for all of the run.
     */
    private static int endOfQuoted(CharSequence text, int start, int backslashes, char quote) {
        int at = start;
        int endOfRun = start;
        while (at < text.length()) {
            char c = text.charAt(at);
            endOfRun = at < endOfRun ? endOfRun : Characters.afterBackslashes(text, at);
            boolean closes =
                    endOfRun - at == backslashes
                            && endOfRun < text.length()
                            && text.charAt(endOfRun) == quote;
            if (closes || Characters.endsALine(c)) {
                return at;
            }
            boolean escapes =
                    c == '\\'
                            && at + 1 < text.length()
                            && !Characters.endsALine(text.charAt(at + 1));
            at += escapes ? 2 : 1;
        }
        return at;
    }
}
