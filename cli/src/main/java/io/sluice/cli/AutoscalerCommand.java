// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import picocli.CommandLine.Command;

/** {@code sluice autoscaler}: what the autoscaler service has to tell. */
@Command(
        name = "autoscaler",
        description = "Asks the autoscaler service.",
        mixinStandardHelpOptions = true,
        subcommands = ExplainCommand.class)
final class AutoscalerCommand {}
