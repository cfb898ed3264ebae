// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.document.Unreadable;
import java.io.PrintWriter;
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

/** {@code sluice bluegreen abort}: goes back to the spec of the active half. */
@Command(
        name = "abort",
        description = {
            "Sets spec.template of a FlinkBlueGreenDeployment back to the spec that its active half"
                    + " has, by which the operator ends a transition, and the active half goes on.",
            "",
            "The edit that began the transition is dropped. Once the new half is promoted, a"
                    + " transition can't be aborted any more."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = End.UNKNOWN,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            End.DONE + ":spec.template is what the active half has",
            End.REFUSED + ":there is nothing to abort, or it is too late; nothing was changed",
            End.UNKNOWN
                    + ":nobody has said yes, the pair is not found or a right is missing, the"
                    + " cluster does not answer, or the command line is wrong"
        })
final class AbortCommand implements Callable<Integer> {
    /** The operator writes the status often while a transition is in progress. */
    private static final int TRIES = 5;

    private final Confirmation confirmation;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The FlinkBlueGreenDeployment.")
    private String name = "";

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin private PairOptions options = new PairOptions();

    AbortCommand() {
        this(Confirmation.atTerminal());
    }

    AbortCommand(Confirmation confirmation) {
        this.confirmation = confirmation;
    }

    @Override
    public Integer call() {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        try {
            return options.ask(
                    "sluice-abort",
                    Optional.empty(),
                    cluster -> abort(cluster, line.getOut(), line.getErr()));
        } catch (NotDone | Unreadable | KubernetesClientException unknown) {
            return told(line.getErr(), SafeText.message(unknown), End.UNKNOWN);
        }
    }

    private int abort(PairCluster cluster, PrintWriter out, PrintWriter err) {
        Pair pair = cluster.get(name);
        return switch (WayBack.of(pair)) {
            case WayBack.Refused(var why) -> told(err, why, End.REFUSED);
            case WayBack.Done(var done) -> {
                out.println(done);
                yield End.DONE;
            }
            case WayBack.Edit edit -> {
                show(edit, out);
                confirm();
                yield edited(cluster, pair, edit, out, err);
            }
        };
    }

    private static void show(WayBack.Edit edit, PrintWriter out) {
        out.println("spec.template goes back to what the active half has. In it:");
        edit.changes().forEach(change -> out.println("  " + change));
        edit.consequences().forEach(text -> out.println(SafeText.line(text)));
        out.flush();
    }

    private void confirm() {
        boolean isConfirmed =
                yes
                        || confirmation
                                .of("Set spec.template of '" + name + "' back?")
                                .orElseThrow(
                                        () ->
                                                new NotDone(
                                                        "there is no terminal to ask at, and"
                                                                + " nothing was changed; give --yes"
                                                                + " to say yes"));
        if (!isConfirmed) {
            throw new NotDone("nothing was changed");
        }
    }

    /** Only what was shown is done: whoever was asked has not said yes to anything else. */
    private int edited(
            PairCluster cluster, Pair shown, WayBack.Edit edit, PrintWriter out, PrintWriter err) {
        Pair pair = shown;
        for (int tries = 0; tries < TRIES; tries++) {
            if (cluster.set(pair, "/spec/template", edit.template())) {
                out.println(
                        "spec.template was set back. To see how it goes on: sluice why flinkbgdep/"
                                + name
                                + " -n "
                                + cluster.namespace());
                out.flush();
                return End.DONE;
            }
            pair = cluster.get(name);
            boolean isSame =
                    pair.template().equals(shown.template())
                            && WayBack.of(pair) instanceof WayBack.Edit(var template, _, _)
                            && template.equals(edit.template());
            if (!isSame) {
                break;
            }
        }
        return told(
                err,
                "the pair was changed meanwhile, and nothing was set back; run the command again",
                End.REFUSED);
    }

    private static int told(PrintWriter err, String text, int code) {
        err.println("sluice bluegreen abort: " + SafeText.line(text));
        err.flush();
        return code;
    }
}
