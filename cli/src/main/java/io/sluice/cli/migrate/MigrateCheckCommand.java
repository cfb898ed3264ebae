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

/** {@code sluice migrate check}: what becomes of the resources of a cluster. */
@Command(
        name = "check",
        description = {
            "Says of each resource in a cluster of the Apache operator whether Sluice takes it over"
                    + " as it is.",
            "",
            "It changes nothing: it lists the resources, Flink's Deployments, and the Apache"
                    + " operator's Deployment and configuration. What you may not list it names."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = CheckEnd.UNASKED,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {CheckEnd.ON_FINE, CheckEnd.ON_OPEN, CheckEnd.ON_UNASKED})
final class MigrateCheckCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--release-namespace",
            description = "Where Sluice will be installed; sluice-system if not given.")
    private String releaseNamespace = "sluice-system";

    @Override
    public Integer call() {
        return CheckEnd.of(
                Objects.requireNonNull(spec).commandLine(),
                cluster,
                Product.APACHE,
                picture -> MigrationCheck.of(picture, releaseNamespace));
    }
}
