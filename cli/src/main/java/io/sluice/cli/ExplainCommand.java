// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice autoscaler explain}: why a job has the parallelism it has. */
@Command(
        name = "explain",
        description = {
            "Shows what was seen of a job, what was decided and why, and what comes next.",
            "",
            "The service is reached through a port that is forwarded to it:",
            "  kubectl port-forward -n sluice-system service/sluice-autoscaler 8080:80",
            "",
            "Where callers have to authenticate (access.authenticate of the chart), set the",
            "environment variable SLUICE_TOKEN to a token of Kubernetes:",
            "  SLUICE_TOKEN=$(kubectl create token ACCOUNT -n NAMESPACE)"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:the job was explained",
            "1:the service knows no such job",
            "2:the service does not answer"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int EXPLAINED = 0;
    private static final int UNKNOWN = 1;
    private static final int SILENT = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST = 8 * 1024 * 1024;

    /**
     * As much as the service itself reads of what a JobManager answers, if nobody changed that.
     * Making Jackson ready takes a tenth of the start of a command, so only this one does it.
     */
    private static final class Answer {
        private static final ObjectMapper JSON =
                new ObjectMapper(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxDocumentLength(LONGEST)
                                                .maxTokenCount(250_000)
                                                .maxNestingDepth(50)
                                                .maxNameLength(1000)
                                                .maxNumberLength(100)
                                                .maxStringLength(1024 * 1024)
                                                .build())
                                .build());

        private Answer() {}
    }

    /** How the explanation is written. */
    enum Output {
        TEXT,
        JSON
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            description = "text (also if not given) or json.")
    private Output output = Output.TEXT;

    @Option(
            names = {"-n", "--namespace"},
            description = "The job's namespace; default if not given.")
    private String namespace = "default";

    @Option(
            names = "--service",
            description = "Where the service answers; http://localhost:8080 if not given.")
    private URI service = URI.create("http://localhost:8080");

    @Parameters(paramLabel = "NAME", description = "The FlinkDeployment or FlinkSessionJob.")
    private String name = "";

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        String about = "/explain/" + namespace + "/" + name;
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(service.resolve(about)).timeout(PATIENCE);
            Optional.ofNullable(System.getenv("SLUICE_TOKEN"))
                    .filter(token -> !token.isBlank())
                    .ifPresent(token -> request.header("Authorization", "Bearer " + token.strip()));
            HttpResponse<InputStream> answer =
                    client.send(request.build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() == 404) {
                return end(UNKNOWN, line.getErr(), notThere());
            }
            if (answer.statusCode() != 200) {
                return end(SILENT, line.getErr(), refused(answer));
            }
            JsonNode explanation = json(answer);
            line.getOut()
                    .print(
                            output == Output.JSON
                                    ? explanation.toPrettyString() + "\n"
                                    : ExplainText.of(explanation));
            line.getOut().flush();
            return EXPLAINED;
        } catch (JsonProcessingException unreadable) {
            String why = unreadable.getOriginalMessage();
            return end(SILENT, line.getErr(), service + " answered what can't be read: " + why);
        } catch (IOException silent) {
            return end(SILENT, line.getErr(), silent());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return end(SILENT, line.getErr(), "interrupted");
        }
    }

    private static JsonNode json(HttpResponse<InputStream> answer) throws IOException {
        try (InputStream body = answer.body()) {
            return Answer.JSON.readTree(body);
        }
    }

    /** What the service says of it, where it says something. */
    private String refused(HttpResponse<InputStream> answer) throws IOException {
        String status = service + " answered " + answer.statusCode();
        if (answer.statusCode() != 401 && answer.statusCode() != 403) {
            return status;
        }
        try {
            String why = json(answer).path("error").asText();
            String hint = answer.statusCode() == 401 ? "; set SLUICE_TOKEN" : "";
            return why.isEmpty() ? status : status + ": " + why + hint;
        } catch (JsonProcessingException unreadable) {
            return status;
        }
    }

    private String notThere() {
        return "no FlinkDeployment or FlinkSessionJob '"
                + name
                + "' in namespace '"
                + namespace
                + "' has job.autoscaler.enabled; see -n";
    }

    private String silent() {
        return "nothing answers at --service "
                + service
                + "; forward a port: kubectl port-forward -n sluice-system"
                + " service/sluice-autoscaler 8080:80";
    }

    private static int end(int code, PrintWriter err, String message) {
        err.println("sluice autoscaler explain: " + message);
        err.flush();
        return code;
    }
}
