// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

/** Passwords in URLs, {@code https://user:password@host}, whose slashes may be escaped. */
final class UrlPasswords {
    private UrlPasswords() {}

    /**
     * @param cut whether the text goes on: what may be a password then ends it
     */
    static String hide(CharSequence text, boolean cut) {
        var shown = new Shown(text);
        int at = 0;
        while (at < text.length()) {
            int start = text.charAt(at) == ':' ? password(text, at + 1) : text.length();
            int end = start == text.length() ? start : end(text, start);
            boolean ends = end == text.length() ? cut : text.charAt(end) == '@';
            if (end > start && ends) {
                shown.hide(start, end);
            }
            at = Math.max(at + 1, shown.copied());
        }
        return shown.text();
    }

    /** Where the password begins after the colon of the scheme; the text's end if it has none. */
    private static int password(CharSequence text, int from) {
        int user = afterSlash(text, afterSlash(text, from));
        int at = user;
        while (at < text.length() && isOfPassword(text.charAt(at)) && text.charAt(at) != ':') {
            at++;
        }
        return at > user && at < text.length() && text.charAt(at) == ':' ? at + 1 : text.length();
    }

    private static int afterSlash(CharSequence text, int from) {
        int at = from < text.length() && text.charAt(from) == '\\' ? from + 1 : from;
        return at < text.length() && text.charAt(at) == '/' ? at + 1 : text.length();
    }

    private static int end(CharSequence text, int start) {
        int at = start;
        while (at < text.length() && isOfPassword(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isOfPassword(char c) {
        return c != '/' && c != '@' && !Characters.isBlank(c);
    }
}
