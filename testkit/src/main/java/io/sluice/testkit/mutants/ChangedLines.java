// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.nio.file.Path;

/**
 * The lines of a source that a mutant changes.
 *
 * @param source its path below the folder of sources
 * @param first counts from 1
 */
record ChangedLines(String source, int first, int last) {
    private static final String FOLDER = "/src/main/java/";

    static ChangedLines of(Mutant mutant, Path root) {
        String was = NamedTest.textOf(root.resolve(mutant.source()));
        String becomes = mutant.planted(root);
        int most = Math.min(was.length(), becomes.length());
        int same = 0;
        while (same < most && was.charAt(same) == becomes.charAt(same)) {
            same++;
        }
        int sameEnd = 0;
        while (sameEnd < most - same
                && was.charAt(was.length() - 1 - sameEnd)
                        == becomes.charAt(becomes.length() - 1 - sameEnd)) {
            sameEnd++;
        }
        return new ChangedLines(
                below(mutant.source()),
                line(was, same),
                line(was, Math.max(same, was.length() - sameEnd)));
    }

    /** The path of a source below the folder of sources. */
    static String below(Path source) {
        String path = source.toString();
        return path.substring(path.indexOf(FOLDER) + FOLDER.length());
    }

    private static int line(String text, int end) {
        return (int) text.substring(0, end).chars().filter(it -> it == '\n').count() + 1;
    }
}
