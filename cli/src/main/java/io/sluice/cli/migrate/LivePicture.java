// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.sluice.cli.document.Document;
import java.util.List;
import java.util.Set;

/**
 * The resources and installations that were read from a cluster.
 *
 * @param resources of the four kinds
 * @param owners the uids of what Flink's Deployments belong to
 * @param operators empty if none was found, or none could be read
 * @param missing rights that the caller lacks
 */
record LivePicture(
        List<Document> resources,
        Set<String> owners,
        List<Installation> operators,
        List<MissingRight> missing) {
    LivePicture {
        resources = List.copyOf(resources);
        owners = Set.copyOf(owners);
        operators = List.copyOf(operators);
        missing = List.copyOf(missing);
    }
}
