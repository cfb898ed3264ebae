// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

/** The classes of characters that names and values of secrets are made of; ASCII only. */
final class Characters {
    private Characters() {}

    static boolean isWord(char c) {
        return isLetterOrDigit(c) || c == '_';
    }

    /** A character of a name such as {@code s3.secret-key}. */
    static boolean isName(char c) {
        return isWord(c) || c == '-' || c == '.';
    }

    /** A character of base64 in one of its alphabets, or of what such parts are joined with. */
    static boolean isToken(char c) {
        return isName(c) || c == '~' || c == '+' || c == '/' || c == '=';
    }

    static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || isUpperOrDigit(c);
    }

    static boolean isUpperOrDigit(char c) {
        return isUpper(c) || (c >= '0' && c <= '9');
    }

    static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isBlank(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    static boolean isQuote(char c) {
        return c == '"' || c == '\'';
    }

    static boolean isSeparator(char c) {
        return c == '=' || c == ':';
    }

    static boolean endsALine(char c) {
        return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    static char lower(char c) {
        return isUpper(c) ? (char) (c + 'a' - 'A') : c;
    }

    /**
     * Whether {@code text} has {@code word} at {@code at}, and {@code end} is not before its end.
     */
    static boolean hasAt(CharSequence text, int at, int end, String word) {
        if (at < 0 || at + word.length() > end) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (text.charAt(at + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The same for a word in lower case, in whatever case the text has it. */
    static boolean hasAnyCaseAt(CharSequence text, int at, int end, String word) {
        if (at < 0 || at + word.length() > end) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (lower(text.charAt(at + i)) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static int afterBlanks(CharSequence text, int from) {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** After backslashes and then a quote, of which there need not be any. */
    static int afterQuote(CharSequence text, int from) {
        int at = afterBackslashes(text, from);
        return at < text.length() && isQuote(text.charAt(at)) ? at + 1 : at;
    }

    static int afterBackslashes(CharSequence text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == '\\') {
            at++;
        }
        return at;
    }

    static int afterName(CharSequence text, int from) {
        int at = from;
        while (at < text.length() && isName(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /**
     * Where a name ends whose separator is at {@code separator}: before blanks, before a quote, and
     * before the backslashes of that quote.
     */
    static int endOfName(CharSequence text, int separator, int from) {
        int end = separator;
        while (end > from && isBlank(text.charAt(end - 1))) {
            end--;
        }
        if (end > from && isQuote(text.charAt(end - 1))) {
            end--;
        }
        while (end > from && text.charAt(end - 1) == '\\') {
            end--;
        }
        return end;
    }
}
