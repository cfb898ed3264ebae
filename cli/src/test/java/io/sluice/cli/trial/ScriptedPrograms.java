// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import io.sluice.cli.trial.program.Programs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers commands by the words that they contain, and knows what it was asked. */
final class ScriptedPrograms implements Programs {
    private final Map<String, Outcome> answers = new LinkedHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Commands that contain {@code words} print {@code out}; the first that fits answers. */
    ScriptedPrograms printing(String words, String out) {
        answers.put(words, new Outcome.Ended(0, out, ""));
        return this;
    }

    ScriptedPrograms failing(String words, String err) {
        answers.put(words, new Outcome.Ended(1, "", err));
        return this;
    }

    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public Outcome run(Call call) {
        String command = String.join(" ", call.command());
        asked.add(command);
        return answers.entrySet().stream()
                .filter(answer -> command.contains(answer.getKey()))
                .findFirst()
                .<Outcome>map(Map.Entry::getValue)
                .orElseGet(() -> new Outcome.Ended(0, "", ""));
    }

    @Override
    public Background start(List<String> command) {
        throw new AssertionError("started: " + command);
    }
}
