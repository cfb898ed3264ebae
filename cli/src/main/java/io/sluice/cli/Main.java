// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.cli.bluegreen.BlueGreenCommand;
import io.sluice.cli.lint.LintCommand;
import io.sluice.cli.migrate.MigrateCommand;
import io.sluice.cli.render.RenderCommand;
import io.sluice.cli.savepoint.SavepointCommand;
import io.sluice.cli.trial.TryCommand;
import io.sluice.cli.why.WhyCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sluice}: finds the command and ends with its code. */
@Command(
        name = "sluice",
        description = "Apache Flink on Kubernetes.",
        mixinStandardHelpOptions = true,
        version = "sluice ${sys:sluice.version:-from a checkout}",
        subcommands = {
            TryCommand.class,
            LintCommand.class,
            RenderCommand.class,
            SavepointCommand.class,
            WhyCommand.class,
            BlueGreenCommand.class,
            MigrateCommand.class,
            AutoscalerCommand.class
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(
                run(
                        new PrintWriter(System.out, true, UTF_8),
                        new PrintWriter(System.err, true, UTF_8),
                        arguments));
    }

    /** Runs a command and returns what the process ends with. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return commandLine().setOut(out).setErr(err).execute(arguments);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
