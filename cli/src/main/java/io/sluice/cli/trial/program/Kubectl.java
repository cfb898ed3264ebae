// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.cli.trial.program.Programs.Call;
import io.sluice.cli.trial.program.Programs.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** kubectl with one context. */
public final class Kubectl {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final Programs programs;
    private final String context;

    public Kubectl(Programs programs, String context) {
        this.programs = programs;
        this.context = context;
    }

    public String context() {
        return context;
    }

    /** The command with these arguments, as somebody would type it. */
    public List<String> command(String... arguments) {
        return Stream.concat(Stream.of("kubectl", "--context", context), Stream.of(arguments))
                .toList();
    }

    /** Runs a command that answers soon. */
    public Outcome run(String... arguments) {
        return programs.run(new Call(bounded(arguments), "", LIMIT));
    }

    /** Creates the objects of a list, or makes them what the list says. */
    public Outcome apply(JsonNode list) {
        return programs.run(new Call(bounded("apply", "-f", "-"), list.toString(), LIMIT));
    }

    /** Runs a command that waits for something, for {@code limit} at most. */
    public Outcome waiting(Duration limit, String... arguments) {
        return programs.run(new Call(command(arguments), "", limit));
    }

    /**
     * What a command prints as JSON; missing if it prints nothing.
     *
     * @throws TrialFailure if it fails
     */
    public JsonNode read(String... arguments) {
        Outcome outcome = run(arguments);
        if (!outcome.succeeded()) {
            throw new TrialFailure(
                    String.join(" ", command(arguments)) + ": " + outcome.complaint());
        }
        return json(outcome.out())
                .orElseThrow(
                        () ->
                                new TrialFailure(
                                        String.join(" ", command(arguments))
                                                + " printed what is no JSON"));
    }

    /** The same, and empty if the command fails: what was asked is not known then. */
    public Optional<JsonNode> find(String... arguments) {
        Outcome outcome = run(arguments);
        return outcome.succeeded() ? json(outcome.out()) : Optional.empty();
    }

    /** What the text is; missing if there is none, empty if it is no JSON. */
    public static Optional<JsonNode> json(String text) {
        if (text.isBlank()) {
            return Optional.of(MissingNode.getInstance());
        }
        try {
            return Optional.of(JSON.readTree(text));
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }

    /** The items of a list, or the one object that kubectl prints instead of a list. */
    public static Stream<JsonNode> items(JsonNode printed) {
        if (printed.isMissingNode()) {
            return Stream.of();
        }
        return printed.has("items") ? printed.path("items").valueStream() : Stream.of(printed);
    }

    private List<String> bounded(String... arguments) {
        return Stream.concat(
                        command("--request-timeout=" + ANSWER.toSeconds() + "s").stream(),
                        Stream.of(arguments))
                .toList();
    }
}
