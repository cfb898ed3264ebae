// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.RawResource;
import io.sluice.cli.cluster.Connection;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.ResourceArgument;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.cluster.Unanswered;
import io.sluice.cli.document.Unreadable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice why}: what a resource waits for, and what to do. */
@Command(
        name = "why",
        description = {
            "Says of a resource what state it is in and since when, what it waits for and until"
                    + " when, what its last events are, and what to do.",
            "",
            "It asks the API server only: for the resource and its events, for the two halves of a"
                    + " pair, and for the job of a snapshot.",
            "",
            "  sluice why orders                   a FlinkDeployment, or another kind",
            "  sluice why flinkbgdep/orders        a pair, with both halves"
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = WhyCommand.UNKNOWN,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            WhyCommand.FINE + ":it is ready, or something is at work on it",
            WhyCommand.STALLED + ":it is stalled: somebody has to act",
            WhyCommand.UNKNOWN
                    + ":it is not found or a right is missing, the cluster does not answer, or the"
                    + " command line is wrong"
        })
public final class WhyCommand implements Callable<Integer> {
    static final int FINE = 0;
    static final int STALLED = 1;
    static final int UNKNOWN = 2;

    /** How the explanation is written. */
    enum Output {
        TEXT,
        JSON
    }

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "RESOURCE",
            description =
                    "The resource: flinkdep/NAME, flinksessionjob/NAME, flinkbgdep/NAME,"
                            + " flinksnp/NAME, or NAME, which is looked up among the four.")
    private String resource = "";

    @Option(
            names = {"-n", "--namespace"},
            description =
                    "The resource's namespace; that of the kubeconfig's context, or default, if not"
                            + " given.")
    private @Nullable String namespace;

    @Option(
            names = {"-o", "--output"},
            description = "text (also if not given) or json.")
    private Output output = Output.TEXT;

    @Mixin private Connection connection = new Connection();

    @Override
    public Integer call() {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        try {
            Explanation explanation = explanation();
            line.getOut().print(written(explanation));
            line.getOut().flush();
            return switch (explanation.verdict()) {
                case READY, AT_WORK -> FINE;
                case STALLED -> STALLED;
            };
        } catch (NotExplained | Unreadable | KubernetesClientException unknown) {
            line.getErr().println("sluice why: " + SafeText.message(unknown));
            line.getErr().flush();
            return UNKNOWN;
        }
    }

    private Explanation explanation() {
        ResourceArgument argument = Choice.argument(resource);
        Config config = connection.config("sluice-why", 1);
        String home = Connection.namespace(Optional.ofNullable(namespace), config);
        try (KubernetesClient client = Connection.client(config).build()) {
            var cluster = new WhyCluster(client, home);
            try {
                List<Finding> found =
                        Choice.kinds(argument).stream()
                                .map(kind -> cluster.find(kind, argument.name()))
                                .toList();
                RawResource chosen = Choice.of(argument, found, home);
                return new Explainer(Troubleshooting.read(), now())
                        .explain(cluster.picture(chosen));
            } catch (KubernetesClientException failed) {
                throw new NotExplained(Unanswered.text(client.getMasterUrl(), failed));
            }
        }
    }

    private String written(Explanation explanation) {
        return switch (output) {
            case TEXT -> WhyText.of(explanation, now());
            case JSON -> WhyJson.of(explanation);
        };
    }

    private static Instant now() {
        return InstantSource.system().instant();
    }
}
