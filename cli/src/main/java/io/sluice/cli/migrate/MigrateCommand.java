// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import picocli.CommandLine.Command;

/** {@code sluice migrate}: helps somebody who comes from the Apache operator. */
@Command(
        name = "migrate",
        description = "Helps somebody who comes from the Apache operator.",
        mixinStandardHelpOptions = true,
        subcommands = {MigrateCheckCommand.class, MigrateValuesCommand.class})
public final class MigrateCommand {}
