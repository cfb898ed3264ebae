// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.cli.cluster.Connection;
import io.sluice.cli.cluster.Warnings;
import io.sluice.cli.document.Unreadable;
import io.sluice.rules.config.value.FlinkDuration;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
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

/** {@code sluice savepoint}: asks the operator for a savepoint or checkpoint of a job. */
@Command(
        name = "savepoint",
        description = {
            "Creates a FlinkStateSnapshot, by which the operator asks Flink for a savepoint or"
                    + " checkpoint of a job. With --wait it is followed until it is complete.",
            "",
            "The name of the FlinkStateSnapshot and the path of the savepoint go to the standard"
                    + " output, all else to the error output.",
            "",
            "  sluice savepoint orders --wait             of a FlinkDeployment",
            "  sluice savepoint flinksessionjob/report    of a FlinkSessionJob"
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = Ending.UNKNOWN,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            Ending.COMPLETED + ":it is complete; without --wait: it was created",
            Ending.NOT_COMPLETED
                    + ":it has failed, was abandoned or deleted, or waits for a correction",
            Ending.NOT_CREATED + ":nothing was created, or the command line is wrong",
            Ending.UNKNOWN + ":it goes on, and the time to wait is over or it can't be followed"
        })
public final class SavepointCommand implements Callable<Integer> {
    private static final String LONGEST_WAIT = "30 min";
    private static final int UNLIMITED = -1;

    /** How Flink writes a savepoint. */
    enum Format {
        CANONICAL,
        NATIVE
    }

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "JOB",
            description = "The job: NAME, flinkdep/NAME or flinksessionjob/NAME.")
    private String job = "";

    @Option(
            names = {"-n", "--namespace"},
            description =
                    "The job's namespace; that of the kubeconfig's context, or default, if not"
                            + " given.")
    private @Nullable String namespace;

    @Option(names = "--session-job", description = "JOB is the name of a FlinkSessionJob.")
    private boolean sessionJob;

    @Option(
            names = "--checkpoint",
            description =
                    "Ask for a checkpoint, which Flink deletes by its own rules, and not for a"
                            + " savepoint.")
    private boolean checkpoint;

    @Option(
            names = "--path",
            paramLabel = "FOLDER",
            description =
                    "Where the savepoint goes; the job's execution.checkpointing.savepoint-dir if"
                            + " not given.")
    private @Nullable String path;

    @Option(names = "--format", description = "canonical (also if not given) or native.")
    private @Nullable Format format;

    @Option(
            names = "--dispose-on-delete",
            description =
                    "The savepoint's files are deleted with the FlinkStateSnapshot. They stay if"
                            + " not given.")
    private boolean disposeOnDelete;

    @Option(
            names = "--backoff-limit",
            paramLabel = "N",
            description =
                    "How often a failed try is repeated, after 10 s, 20 s and so on: 0 is never, -1"
                            + " without limit; 4 if not given.")
    private int backoffLimit = 4;

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description =
                    "A label of the FlinkStateSnapshot, may be given several times: where"
                            + " kubernetes.operator.label.selector is set, those that it asks for.")
    private Map<String, String> labels = Map.of();

    @Option(
            names = "--wait",
            arity = "0..1",
            fallbackValue = LONGEST_WAIT,
            preprocessor = AttachedValue.class,
            paramLabel = "DURATION",
            description =
                    "Follow it until it is complete or no more comes of it, for "
                            + LONGEST_WAIT
                            + " or DURATION at most, such as 90s or 2h.")
    private @Nullable String wait;

    @Mixin private Connection connection = new Connection();

    @Override
    public Integer call() {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        try {
            JobArgument argument = JobArgument.of(job, sessionJob);
            var request = new SnapshotRequest(savepoint(), limit(), labels);
            Optional<Duration> limit = Optional.ofNullable(wait).map(SavepointCommand::duration);
            // A creation is not repeated by itself, as it may have succeeded.
            Config config = connection.config("sluice-savepoint", 0);
            var warnings = new Warnings();
            try (KubernetesClient client =
                    Connection.client(config)
                            .withHttpClientBuilderConsumer(
                                    http -> http.addOrReplaceInterceptor("warnings", warnings))
                            .build()) {
                var cluster =
                        new SnapshotCluster(
                                client,
                                Connection.namespace(Optional.ofNullable(namespace), config));
                return new SavepointRun(
                                cluster,
                                warnings,
                                line.getOut(),
                                line.getErr(),
                                InstantSource.system())
                        .run(argument, request, limit);
            }
        } catch (NotCreated | Unreadable | KubernetesClientException refused) {
            line.getErr().println("sluice savepoint: " + refused.getMessage());
            return Ending.NOT_CREATED;
        }
    }

    private Optional<SavepointSpec> savepoint() {
        if (!checkpoint) {
            SavepointFormat wanted =
                    format == Format.NATIVE ? SavepointFormat.NATIVE : SavepointFormat.CANONICAL;
            return Optional.of(
                    new SavepointSpec(Optional.ofNullable(path), wanted, disposeOnDelete, false));
        }
        if (path != null) {
            throw ofSavepoint("--path");
        }
        if (format != null) {
            throw ofSavepoint("--format");
        }
        if (disposeOnDelete) {
            throw ofSavepoint("--dispose-on-delete");
        }
        return Optional.empty();
    }

    private static NotCreated ofSavepoint(String option) {
        return new NotCreated(
                option + ": is for savepoints only; leave it out, or leave out --checkpoint");
    }

    private int limit() {
        if (backoffLimit < UNLIMITED) {
            throw new NotCreated(
                    "--backoff-limit: '"
                            + backoffLimit
                            + "' is no number of repetitions; write 0 or more, or -1 for no limit");
        }
        return backoffLimit;
    }

    /** A number alone would be one of milliseconds. */
    private static Duration duration(String text) {
        return FlinkDuration.parse(text)
                .filter(_ -> text.chars().anyMatch(Character::isLetter))
                .filter(it -> it.compareTo(Duration.ofSeconds(1)) >= 0)
                .orElseThrow(
                        () ->
                                new NotCreated(
                                        "--wait: '"
                                                + text
                                                + "' is no duration of a second or more; write a"
                                                + " number with a unit, such as 90s or 2h"));
    }
}
