// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice migrate back --check}: what becomes of the resources when Sluice is left. */
@Command(
        name = "back",
        description = {
            "Says of each resource in a cluster of Sluice whether the Apache operator takes it over"
                    + " as it is.",
            "",
            "It changes nothing: it lists the resources, Flink's Deployments, and the Deployment"
                    + " and configuration of Sluice. What you may not list it names."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = CheckEnd.UNASKED,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {CheckEnd.ON_FINE, CheckEnd.ON_OPEN, CheckEnd.ON_UNASKED})
final class MigrateBackCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--check",
            description = "Must be given: a check is all that this command does.")
    private boolean isCheck;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        if (!isCheck) {
            line.getErr().println("sluice migrate back: add --check; it is all that can be done");
            return CheckEnd.UNASKED;
        }
        return CheckEnd.of(line, cluster, Product.SLUICE, ReturnCheck::of);
    }
}
