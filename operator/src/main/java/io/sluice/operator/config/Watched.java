// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where resources are looked for.
 *
 * @param namespaces empty for all
 * @param changes whether other namespaces may be watched while the process runs
 */
public record Watched(Set<String> namespaces, boolean changes) {
    public Watched {
        namespaces = Collections.unmodifiableSet(new LinkedHashSet<>(namespaces));
    }

    /** These, as long as the process runs. */
    public static Watched always(Set<String> namespaces) {
        return new Watched(namespaces, false);
    }

    public boolean isAll() {
        return namespaces.isEmpty();
    }

    /** Each of several namespaces is listed by itself. */
    public boolean isOneList() {
        return namespaces.size() <= 1 && !changes;
    }
}
