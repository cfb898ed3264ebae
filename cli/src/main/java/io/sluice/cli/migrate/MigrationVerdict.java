// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.List;

/**
 * The verdict on one resource, or on one installation of an operator.
 *
 * @param notes what is good to know, and changes nothing of the verdict
 */
record MigrationVerdict(
        String kind, String namespace, String name, Verdict verdict, List<CheckRemark> notes) {
    MigrationVerdict {
        notes = List.copyOf(notes);
    }
}
