// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import io.sluice.api.text.ShortenedText;
import io.sluice.rules.review.Warning;
import java.util.List;
import java.util.stream.Stream;

/** Says what is accepted and what its author should know about it all the same. */
final class Warnings {
    /** No more warnings than people read. */
    private static final int MOST = 6;

    /** The API server cuts longer ones, and drops warnings when there is too much text. */
    private static final int LONGEST = 240;

    private Warnings() {}

    /** What the review found. */
    static List<String> of(List<Warning> found) {
        return few(
                found.stream()
                        .map(Warning::text)
                        .map(text -> ShortenedText.of(text, LONGEST))
                        .toList());
    }

    private static List<String> few(List<String> all) {
        return all.size() <= MOST
                ? all
                : Stream.concat(
                                all.stream().limit(MOST - 1L),
                                Stream.of(
                                        "and "
                                                + (all.size() - MOST + 1)
                                                + " more warnings; sluice lint shows them all"))
                        .toList();
    }
}
