// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import picocli.CommandLine.Command;

/** {@code sluice migrate}: rewrites what belongs to the Apache operator. */
@Command(
        name = "migrate",
        description = "Rewrites what belongs to the Apache operator.",
        mixinStandardHelpOptions = true,
        subcommands = MigrateValuesCommand.class)
public final class MigrateCommand {}
