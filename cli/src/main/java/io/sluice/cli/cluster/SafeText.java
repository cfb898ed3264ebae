// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import java.util.Optional;

/**
 * Texts that others have written into the cluster, for a terminal: whoever may write a message
 * could otherwise hide lines, move the cursor, or fill the screen.
 */
public final class SafeText {
    /** As long as the operator's own messages may be. */
    private static final int LONGEST = 4096;

    private SafeText() {}

    /**
     * The text in one line of at most 4096 characters; what a terminal does not show is escaped.
     */
    public static String line(String text) {
        return line(text, LONGEST);
    }

    /**
     * The text in one line; what a terminal does not show is escaped.
     *
     * @param longest how many characters of the text are shown
     */
    public static String line(String text, int longest) {
        String clean = text.length() <= longest ? text : text.substring(0, longest);
        var line = new StringBuilder();
        clean.codePoints().forEach(point -> append(line, point));
        return text.length() <= longest
                ? line.toString()
                : line + "… (" + (text.length() - longest) + " characters more)";
    }

    /** What a failure says of itself, in one line. */
    public static String message(Throwable failed) {
        return line(Optional.ofNullable(failed.getMessage()).orElseGet(failed::toString));
    }

    private static void append(StringBuilder line, int point) {
        if (point == '\n' || point == '\r' || point == '\t') {
            line.append(' ');
        } else if (isShown(point)) {
            line.appendCodePoint(point);
        } else {
            line.append("\\u{%x}".formatted(point));
        }
    }

    private static boolean isShown(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }
}
