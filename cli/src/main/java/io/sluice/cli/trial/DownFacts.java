// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.List;

/**
 * What a removal is planned by.
 *
 * @param guests resources of Flink's kinds in the namespace {@link Trial#NAME} that no trial has
 *     created, as KIND NAME
 * @param elsewhere resources of Flink's kinds in other namespaces, as KIND NAMESPACE/NAME
 */
record DownFacts(
        Facts.Tools tools, ClusterState cluster, List<String> guests, List<String> elsewhere) {
    DownFacts {
        guests = List.copyOf(guests);
        elsewhere = List.copyOf(elsewhere);
    }
}
