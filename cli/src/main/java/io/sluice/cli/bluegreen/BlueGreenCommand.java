// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import picocli.CommandLine.Command;

/** {@code sluice bluegreen}: what concerns the two halves of a FlinkBlueGreenDeployment. */
@Command(
        name = "bluegreen",
        description = "Says what an edit of a pair would do, and approves of or ends a transition.",
        mixinStandardHelpOptions = true,
        subcommands = {PlanCommand.class, PromoteCommand.class, AbortCommand.class})
public final class BlueGreenCommand {}
