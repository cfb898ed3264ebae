// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What {@code {{name}}} and {@code {{namespace}}} stand for in a text. A text is read once, by
 * hand: users write such texts, and no regular expression meets them.
 */
public record Placeholders(String namespace, String name) {
    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";

    /** Characters from the braces that open a placeholder to those that close it. */
    private static final int LONGEST = 32;

    private enum Placeholder {
        NAME,
        NAMESPACE
    }

    /** {@code text} with the names in it; other braces stay. */
    public String fill(String text) {
        return replace(
                text,
                placeholder ->
                        switch (placeholder) {
                            case NAME -> name;
                            case NAMESPACE -> namespace;
                        });
    }

    /** How many placeholders {@code text} has. */
    static int count(String text) {
        List<Placeholder> found = new ArrayList<>();
        replace(
                text,
                placeholder -> {
                    found.add(placeholder);
                    return "";
                });
        return found.size();
    }

    /** Whether {@code text} has braces that are no placeholder. */
    static boolean hasOthers(String text) {
        String rest = replace(text, _ -> "");
        return rest.contains("{") || rest.contains("}");
    }

    /** Each position is looked at once, and not further ahead than a placeholder is long. */
    private static String replace(String text, Function<Placeholder, String> value) {
        StringBuilder filled = new StringBuilder(text.length());
        int at = 0;
        for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, at)) {
            int from = open + OPEN.length();
            int close = text.indexOf(CLOSE, from, Math.min(from + LONGEST, text.length()));
            String word = close < 0 ? "" : text.substring(from, close).strip();
            boolean isName = word.equalsIgnoreCase("name");
            if (isName || word.equalsIgnoreCase("namespace")) {
                filled.append(text, at, open)
                        .append(value.apply(isName ? Placeholder.NAME : Placeholder.NAMESPACE));
                at = close + CLOSE.length();
            } else {
                filled.append(text, at, open + 1);
                at = open + 1;
            }
        }
        return filled.append(text, at, text.length()).toString();
    }
}
