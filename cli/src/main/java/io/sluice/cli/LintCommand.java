// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.ProcessOptions;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice lint}: every rule on every resource in the named files. */
@Command(
        name = "lint",
        description = "Checks resources as the webhook does, without a cluster.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:every resource is valid",
            "1:a resource has problems",
            "2:a file cannot be read"
        })
final class LintCommand implements Callable<Integer> {
    private static final int VALID = 0;
    private static final int PROBLEMS = 1;
    private static final int UNREADABLE = 2;

    /** How the result is written. */
    enum Output {
        TEXT,
        JSON
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            description = "text (also if not given) or json.")
    private Output output = Output.TEXT;

    /** What of the chart's own configuration a rule looks at. */
    private static final DefaultConfiguration OF_CHART =
            new DefaultConfiguration(
                    new FlinkConfiguration(
                            Map.of(ProcessOptions.RECONCILE_INTERVAL.key(), "15 s")));

    @Option(
            names = "--config",
            description =
                    "The operator's configuration: a file, or the folder of defaults.yaml and"
                            + " flink-conf.yaml or config.yaml. Not given: what the chart has.")
    private @Nullable Path config;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "YAML or JSON files, folders of them, or - for the standard input.")
    private List<String> files = List.of();

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        try {
            var results = Lint.of(Documents.read(files, System.in), configuration());
            print(results, line.getOut());
            return results.stream().allMatch(LintResult::isValid) ? VALID : PROBLEMS;
        } catch (Unreadable unreadable) {
            line.getErr().println("sluice lint: " + unreadable.getMessage());
            return UNREADABLE;
        }
    }

    private void print(List<LintResult> results, PrintWriter out) {
        switch (output) {
            case TEXT -> out.print(LintText.of(results));
            case JSON -> out.println(LintJson.of(results));
        }
        out.flush();
    }

    private DefaultConfiguration configuration() {
        return Optional.ofNullable(config).map(LintCommand::load).orElse(OF_CHART);
    }

    private static DefaultConfiguration load(Path path) {
        if (!Files.exists(path)) {
            throw new Unreadable(
                    "--config: '" + path + "' does not exist; name a file or a folder");
        }
        try {
            return DefaultConfiguration.load(path);
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            throw new Unreadable("--config: " + wrong.getMessage());
        }
    }
}
