// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a trial is planned by.
 *
 * @param unreadable files of values that can't be read
 */
record Facts(Tools tools, ChartState chart, ClusterState cluster, List<Path> unreadable) {
    Facts {
        unreadable = List.copyOf(unreadable);
    }

    /**
     * The programs on the PATH. A version is empty where the program is not there, or does not say
     * it.
     *
     * @param maker whether the program that is to make the cluster is there; true if none is needed
     */
    record Tools(Optional<ToolVersion> kubectl, Optional<ToolVersion> helm, boolean maker) {}

    /** The chart as Helm finds it. */
    sealed interface ChartState {
        /** Nothing names a chart. */
        record Unnamed() implements ChartState {}

        /** It was not looked for, as there is no Helm. */
        record Unknown() implements ChartState {}

        /**
         * Helm can't read it.
         *
         * @param why as Helm says it
         */
        record Unreadable(String reference, String why) implements ChartState {}

        /**
         * Helm can read it.
         *
         * @param oldest the oldest Kubernetes that it accepts; empty if it does not say so
         */
        record Known(String name, String version, Optional<ToolVersion> oldest)
                implements ChartState {}
    }
}
