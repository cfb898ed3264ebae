// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.document.Unreadable;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice bluegreen promote}: approves of a transition. */
@Command(
        name = "promote",
        description = {
            "Approves of the transition that is in progress, where"
                    + " kubernetes.operator.bluegreen.promotion is manual.",
            "",
            "It sets the annotation sluice.io/promote of the FlinkBlueGreenDeployment to the"
                    + " generation of the transition, if spec.template was not edited since. Before"
                    + " the new half has proven itself that is allowed, too."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = End.UNKNOWN,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            End.DONE + ":the transition is approved of",
            End.REFUSED + ":there is nothing to approve of; nothing was changed",
            End.UNKNOWN
                    + ":the pair is not found or a right is missing, the cluster does not answer,"
                    + " or the command line is wrong"
        })
final class PromoteCommand implements Callable<Integer> {
    /** The operator writes the status often while a transition is in progress. */
    private static final int TRIES = 5;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The FlinkBlueGreenDeployment.")
    private String name = "";

    @Mixin private PairOptions options = new PairOptions();

    @Override
    public Integer call() {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        try {
            return switch (options.ask("sluice-promote", Optional.empty(), this::promote)) {
                case Promotion.Approve(_, var told) -> done(line, told);
                case Promotion.Done(var told) -> done(line, told);
                case Promotion.Refused(var why) -> {
                    line.getErr().println("sluice bluegreen promote: " + SafeText.line(why));
                    yield End.REFUSED;
                }
            };
        } catch (NotDone | Unreadable | KubernetesClientException unknown) {
            line.getErr().println("sluice bluegreen promote: " + SafeText.message(unknown));
            return End.UNKNOWN;
        }
    }

    private static int done(CommandLine line, String told) {
        line.getOut().println(told);
        line.getOut().flush();
        return End.DONE;
    }

    /** Decides anew whenever the pair was changed meanwhile. */
    private Promotion promote(PairCluster cluster) {
        for (int tries = 0; tries < TRIES; tries++) {
            Pair pair = cluster.get(name);
            Promotion promotion = Promotion.of(pair);
            boolean isOver =
                    switch (promotion) {
                        case Promotion.Approve(var generation, _) ->
                                cluster.set(pair, path(pair), value(pair, generation));
                        case Promotion.Done _, Promotion.Refused _ -> true;
                    };
            if (isOver) {
                return promotion;
            }
        }
        return new Promotion.Refused(
                "the pair was changed by others each time it was to be annotated; run the command"
                        + " again");
    }

    private static String path(Pair pair) {
        return pair.hasAnnotations()
                ? "/metadata/annotations/" + FlinkBlueGreenDeployment.PROMOTE.replace("/", "~1")
                : "/metadata/annotations";
    }

    private static JsonNode value(Pair pair, long generation) {
        String text = Long.toString(generation);
        return pair.hasAnnotations()
                ? TextNode.valueOf(text)
                : JsonNodeFactory.instance.objectNode().put(FlinkBlueGreenDeployment.PROMOTE, text);
    }
}
