// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.metric;

import java.util.Optional;

/** Which build of a process runs. */
public final class BuildInfo {
    private BuildInfo() {}

    /**
     * Shows the version from now on.
     *
     * @param process as the metric's label {@code component} says it
     * @param of a class of the jar whose version it is
     */
    public static void show(Series series, String process, Class<?> of) {
        String version =
                Optional.ofNullable(of.getPackage().getImplementationVersion())
                        .orElse("development");
        series.gauge("sluice_build_info").labels(process, version).set(1);
    }
}
