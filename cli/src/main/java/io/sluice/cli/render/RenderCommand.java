// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import io.sluice.cli.document.Unreadable;
import io.sluice.cli.lint.ConfigurationOption;
import io.sluice.cli.lint.Lint;
import io.sluice.cli.lint.LintReport;
import io.sluice.cli.lint.LintText;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.defaults.Defaults;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice render}: what the operator would create for the FlinkDeployments in files. */
@Command(
        name = "render",
        description = {
            "Shows the manifests that the operator creates at the first start of each"
                    + " FlinkDeployment, without a cluster.",
            "",
            "A comment says what a value comes from: a field of the resource, an option of the"
                    + " operator's configuration, or both. A value without a comment is always the"
                    + " same."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:every FlinkDeployment is shown",
            "1:a resource is refused, by admission or by Flink",
            "2:a file cannot be read, or the command line is wrong"
        })
public final class RenderCommand implements Callable<Integer> {
    private static final int SHOWN = 0;
    private static final int REFUSED = 1;
    private static final int UNREADABLE = 2;

    @Spec private @Nullable CommandSpec spec;

    @Mixin private ConfigurationOption configuration = new ConfigurationOption();

    @Option(
            names = {"-n", "--namespace"},
            description = "The namespace of resources that name none; default if not given.")
    private String namespace = "default";

    @Option(names = "--plain", description = "Without comments, as the operator creates it.")
    private boolean plain;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "YAML or JSON files, folders of them, or - for the standard input.")
    private List<String> files = List.of();

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        try {
            List<Document> documents = Documents.read(files, System.in);
            DefaultConfiguration defaults = configuration.read();
            LintReport report = new Lint(defaults, "sluice-system", namespace).review(documents);
            if (!report.isValid()) {
                line.getErr().print(LintText.of(report));
                line.getErr().flush();
                return REFUSED;
            }
            int end = SHOWN;
            for (Document document : report.documents()) {
                end = Math.max(end, show(document, defaults, line.getOut(), line.getErr()));
            }
            return end;
        } catch (Unreadable unreadable) {
            line.getErr().println("sluice render: " + unreadable.getMessage());
            return UNREADABLE;
        }
    }

    private int show(
            Document document, DefaultConfiguration defaults, PrintWriter out, PrintWriter err) {
        String what = document.kind() + " " + document.name();
        ResourceKind kind = Objects.requireNonNull(ResourceKind.WORDS.get(document.kind()));
        if (kind != ResourceKind.FLINK_DEPLOYMENT) {
            err.println("sluice render: " + what + " " + elsewhere(kind));
            return SHOWN;
        }
        List<Defaults.Missing> missing =
                Defaults.missing(ResourceKind.FLINK_DEPLOYMENT, document.content());
        RenderInput input = input(document, defaults);
        try {
            Manifests manifests = Manifests.of(input);
            out.println("# " + what + ", " + document.file());
            out.print(
                    new ManifestYaml(plain ? Map.of() : origins(manifests, input, missing))
                            .of(manifests));
            out.flush();
            return SHOWN;
        } catch (RuntimeException refused) {
            err.println("sluice render: " + what + ": Flink refuses it: " + refused.getMessage());
            return REFUSED;
        }
    }

    private static Map<String, List<String>> origins(
            Manifests manifests, RenderInput input, List<Defaults.Missing> missing) {
        Set<String> filledIn =
                missing.stream().map(Defaults.Missing::pointer).collect(Collectors.toSet());
        return Origins.of(manifests, input, filledIn);
    }

    private RenderInput input(Document document, DefaultConfiguration defaults) {
        String home = document.namespace().isEmpty() ? namespace : document.namespace();
        return new RenderInput(
                new RenderInput.Start(
                        home,
                        document.name(),
                        "00000000-0000-0000-0000-000000000000",
                        1,
                        "0".repeat(32),
                        "1".repeat(32)),
                Defaults.apply((ObjectNode) document.content().path("spec")),
                defaults.base());
    }

    /** Where the manifests of the other kinds are. */
    private static String elsewhere(ResourceKind kind) {
        return switch (kind) {
            case FLINK_DEPLOYMENT -> "is shown";
            case FLINK_SESSION_JOB -> "runs on the cluster of its FlinkDeployment; render that";
            case FLINK_BLUE_GREEN_DEPLOYMENT ->
                    "is made of two FlinkDeployments; render one that has spec.template.spec as its"
                            + " spec";
            case FLINK_STATE_SNAPSHOT -> "has no manifests";
        };
    }
}
