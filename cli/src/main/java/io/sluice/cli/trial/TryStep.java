// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.Optional;

/** What a trial does, in the order of a plan. */
sealed interface TryStep {
    /** The user is asked whether this context may be changed. */
    record Confirm(String context) implements TryStep {}

    /**
     * The namespaces and the record of the trial are created.
     *
     * @param namespace of the release
     */
    record Begin(ClusterChoice cluster, String namespace) implements TryStep {}

    /** Helm installs the chart, or makes it what it was. */
    record Install(ChartReference chart, String namespace) implements TryStep {}

    /**
     * The example is created and runs; others of a trial are deleted.
     *
     * @param image instead of that of its file
     */
    record Run(Example example, Optional<String> image) implements TryStep {}

    /** The job is upgraded, and what its state counts is compared. */
    record Upgrade(Example example) implements TryStep {}

    /** The job gets an image that can't be pulled, and then its own again. */
    record BreakImage(Example example) implements TryStep {}

    /**
     * The user is told how to look around.
     *
     * @param namespace of the release
     * @param forwards whether ports are forwarded until somebody ends the command
     */
    record LookAround(Example example, String namespace, boolean forwards) implements TryStep {}
}
