// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import io.sluice.cli.document.Documents;
import io.sluice.cli.document.Unreadable;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice migrate values}: our chart's values from those of the Apache operator's chart. */
@Command(
        name = "values",
        description = {
            "Prints values of helm/sluice that stand for values of the Apache operator's chart.",
            "",
            "The output begins with comments on what has no equivalent, what to look at, and what",
            "needs no counterpart. Values of a release: helm get values RELEASE -n NAMESPACE"
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:every value is taken over, or needs no counterpart",
            "1:a human has to decide about a value",
            "2:the file cannot be read, or the command line is wrong"
        })
public final class MigrateValuesCommand implements Callable<Integer> {
    private static final int COMPLETE = 0;
    private static final int OPEN = 1;
    private static final int UNREADABLE = 2;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description = "A values file of the Apache operator's chart, or - for standard input.")
    private String file = "";

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        try {
            Migration migration = ValuesMigration.of(Documents.single(file, System.in));
            line.getOut().print(ValuesText.of(file, migration));
            line.getOut().flush();
            return migration.open().isEmpty() ? COMPLETE : OPEN;
        } catch (Unreadable unreadable) {
            line.getErr().println("sluice migrate values: " + unreadable.getMessage());
            return UNREADABLE;
        }
    }
}
