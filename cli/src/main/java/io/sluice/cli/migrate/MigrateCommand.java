// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.sluice.cli.migrate.values.MigrateValuesCommand;
import picocli.CommandLine.Command;

/** {@code sluice migrate}: helps somebody who comes from the Apache operator, or goes back. */
@Command(
        name = "migrate",
        description = "Helps somebody who comes from the Apache operator, or goes back to it.",
        mixinStandardHelpOptions = true,
        subcommands = {
            MigrateCheckCommand.class,
            MigrateValuesCommand.class,
            MigrateBackCommand.class
        })
public final class MigrateCommand {}
