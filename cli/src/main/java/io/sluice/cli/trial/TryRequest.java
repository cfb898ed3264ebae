// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What somebody wants to try.
 *
 * @param chart empty if neither the user nor the release names one
 * @param values files for Helm, the last of which wins
 * @param namespace of the release
 * @param image to run the example in instead of its own
 * @param waits whether ports are forwarded until somebody ends the command
 */
record TryRequest(
        ClusterChoice cluster,
        Optional<ChartReference> chart,
        List<Path> values,
        String namespace,
        Example example,
        Optional<String> image,
        Consent consent,
        boolean waits) {
    TryRequest {
        values = List.copyOf(values);
    }

    /** Whether a cluster may be changed that no trial has made. */
    enum Consent {
        GIVEN,
        TO_BE_ASKED,
        /** Nobody sits at a terminal. */
        NOT_TO_BE_HAD
    }

    /** What the example runs in; empty if nothing says it, so that it runs in its own. */
    Optional<String> exampleImage() {
        return image.or(
                () ->
                        example.keepsState()
                                ? chart.flatMap(ChartReference::examplesImage)
                                : Optional.empty());
    }
}
