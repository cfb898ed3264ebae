// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import java.util.List;

/** Which jobs a namespace has. */
sealed interface Jobs {
    /**
     * These.
     *
     * @param names as {@link JobArgument#of} takes them; without those of a kind that the caller
     *     may not list
     */
    record Listed(List<String> names) implements Jobs {
        public Listed {
            names = List.copyOf(names);
        }
    }

    /** The caller may list none of the kinds. */
    record Unlisted() implements Jobs {}

    /** The cluster has none of the kinds. */
    record Unserved() implements Jobs {}
}
