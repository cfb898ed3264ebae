// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The names that resources may use, as an option of the operator's configuration lists them:
 * everything if it is not set, nothing if it is {@code none}. An entry is a name, a beginning with
 * {@code *} behind it, or for hosts a domain with {@code *.} in front; {@code {{name}}} and {@code
 * {{namespace}}} stand for the resource's own.
 */
public final class AllowList {
    private static final String ALL = "*";
    private static final String NONE = "none";
    private static final String BELOW = "*.";

    private final String key;
    private final boolean everything;
    private final List<Entry> entries;

    /** What an entry compares: a whole name, a name's beginning, or its end. */
    private enum Part {
        WHOLE,
        BEGINNING,
        END
    }

    /**
     * @param text in lower case
     */
    private record Entry(Part part, String text) {
        /** The asterisk is looked for before placeholders are filled in, and never in a name. */
        static Entry of(String pattern, Placeholders names) {
            if (pattern.startsWith(BELOW)) {
                return new Entry(Part.END, filled(pattern.substring(1), names));
            }
            return pattern.endsWith(ALL)
                    ? new Entry(
                            Part.BEGINNING,
                            filled(pattern.substring(0, pattern.length() - 1), names))
                    : new Entry(Part.WHOLE, filled(pattern, names));
        }

        private static String filled(String pattern, Placeholders names) {
            return names.fill(pattern).toLowerCase(Locale.ROOT);
        }

        boolean matches(String name) {
            return switch (part) {
                case WHOLE -> name.equals(text);
                case BEGINNING -> name.startsWith(text);
                case END -> name.endsWith(text) && name.length() > text.length();
            };
        }

        String shown() {
            return switch (part) {
                case WHOLE -> text;
                case BEGINNING -> text + ALL;
                case END -> ALL + text;
            };
        }
    }

    private AllowList(String key, boolean everything, List<Entry> entries) {
        this.key = key;
        this.everything = everything;
        this.entries = List.copyOf(entries);
    }

    /**
     * @param key of the option
     * @param listed its value's elements, each of which may be several with commas between
     * @param names of the resource that asks
     */
    public static AllowList of(String key, List<String> listed, Placeholders names) {
        List<String> words = words(listed);
        boolean everything = listed.isEmpty() || words.contains(ALL);
        return new AllowList(
                key,
                everything,
                words.stream()
                        .filter(word -> !word.equals(ALL) && !word.equalsIgnoreCase(NONE))
                        .map(word -> Entry.of(word, names))
                        .toList());
    }

    private static List<String> words(List<String> listed) {
        return listed.stream()
                .flatMap(each -> Arrays.stream(each.split(",", -1)))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    public boolean allowsEverything() {
        return everything;
    }

    /** Whether {@code name} may be used; upper and lower case are the same. */
    public boolean allows(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return everything || entries.stream().anyMatch(entry -> entry.matches(lower));
    }

    /** What to do instead of using a name that is not allowed. */
    public String advice() {
        String listed = String.join(", ", entries.stream().map(Entry::shown).toList());
        return (listed.isEmpty() ? "remove it" : "use " + listed) + ", or ask for it in " + key;
    }

    /** What is wrong with the elements of such an option's value; empty if nothing is. */
    public static Optional<String> complaint(List<String> listed) {
        List<String> words = words(listed);
        if (words.size() > 1 && words.stream().anyMatch(NONE::equalsIgnoreCase)) {
            return Optional.of("has none beside other entries; write none alone, or leave it out");
        }
        List<String> wrong = new ArrayList<>();
        words.stream().filter(AllowList::isMisshapen).forEach(wrong::add);
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "has an entry '"
                                + wrong.getFirst()
                                + "' that can't be read; write a name, a beginning with * behind"
                                + " it or a domain with *. in front, with at most one of {{name}}"
                                + " and {{namespace}} between two dots");
    }

    /**
     * Two placeholders in one label would give two resources the same name: a-b in c, and a in b-c.
     */
    private static boolean isMisshapen(String word) {
        String text =
                word.startsWith(BELOW)
                        ? word.substring(BELOW.length())
                        : word.endsWith(ALL) ? word.substring(0, word.length() - 1) : word;
        return text.contains(ALL)
                || (text.isEmpty() && !word.equals(ALL))
                || Placeholders.hasOthers(text)
                || Arrays.stream(text.split("\\.", -1))
                        .anyMatch(label -> Placeholders.count(label) > 1);
    }
}
