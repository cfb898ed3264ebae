// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** How many letters have to be put in, taken out or replaced to make one word another. */
public final class EditDistance {
    /** More edits make another word. */
    private static final int MOST_EDITS = 3;

    private EditDistance() {}

    /**
     * The known word that {@code word} was probably meant to be; empty if it is like none. A third
     * of its letters may be wrong, but no more than {@value #MOST_EDITS}.
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        int limit = Math.min(MOST_EDITS, word.length() / 3);
        return known.stream()
                .filter(each -> each.equalsIgnoreCase(word))
                .findFirst()
                .or(
                        () ->
                                known.stream()
                                        .filter(each -> between(word, each, limit) <= limit)
                                        .min(
                                                Comparator.comparingInt(
                                                        each -> between(word, each, limit))));
    }

    /** The distance, or {@code limit + 1} if it is larger than {@code limit}. */
    static int between(String one, String other, int limit) {
        if (Math.abs(one.length() - other.length()) > limit) {
            return limit + 1;
        }
        int[] before = new int[other.length() + 1];
        int[] now = new int[other.length() + 1];
        Arrays.setAll(before, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            Arrays.fill(now, limit + 1);
            now[0] = i;
            int from = Math.max(1, i - limit);
            int to = Math.min(other.length(), i + limit);
            int least = now[0];
            for (int j = from; j <= to; j++) {
                int replaced = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int around = Math.min(j < i + limit ? before[j] : limit, now[j - 1]) + 1;
                now[j] = Math.min(before[j - 1] + replaced, around);
                least = Math.min(least, now[j]);
            }
            if (least > limit) {
                return limit + 1;
            }
            int[] swapped = before;
            before = now;
            now = swapped;
        }
        return Math.min(before[other.length()], limit + 1);
    }
}
