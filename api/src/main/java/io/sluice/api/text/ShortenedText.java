// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.text;

/** Shortens texts for a place that has room for so many characters. */
public final class ShortenedText {
    private static final String ELLIPSIS = "…";

    private ShortenedText() {}

    /**
     * The text itself if it fits, or else its beginning with an ellipsis as the last character.
     *
     * @param longest how many characters fit, at least 1
     */
    public static String of(String text, int longest) {
        return text.length() <= longest
                ? text
                : text.substring(0, longest - ELLIPSIS.length()) + ELLIPSIS;
    }
}
