// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.List;
import java.util.Map;

/**
 * An installation of the Apache operator, as far as it could be read.
 *
 * @param namespace where it runs
 * @param release the name of its Helm release; empty if nothing says it
 * @param files of its configuration, by their names
 * @param mounts where its containers mount volumes for plugins
 * @param images of its containers
 */
record ApacheOperator(
        String namespace,
        String release,
        Map<String, String> files,
        List<String> mounts,
        List<String> images) {
    /** The name of the ConfigMap with its configuration. */
    static final String CONFIGURATION = "flink-operator-config";

    /** The release as its documentation calls it. */
    static final String USUAL_RELEASE = "flink-kubernetes-operator";

    ApacheOperator {
        files = Map.copyOf(files);
        mounts = List.copyOf(mounts);
        images = List.copyOf(images);
    }
}
