// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Values of our chart, and what there is to say of those that they came from.
 *
 * @param values of {@code helm/sluice}
 * @param open what a human has to decide; it is not in the values
 * @param check what was moved, and should be looked at
 * @param kept what needs no counterpart
 */
record Migration(
        ObjectNode values, List<ValueNote> open, List<ValueNote> check, List<ValueNote> kept) {
    /**
     * Something about one value. The value itself is not shown, as it may be a secret.
     *
     * @param path of the value in the Apache operator's chart
     * @param line where it stands in the file
     */
    record ValueNote(String path, int line, String text) {}

    Migration {
        open = List.copyOf(open);
        check = List.copyOf(check);
        kept = List.copyOf(kept);
    }
}
