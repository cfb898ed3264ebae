// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import java.time.Duration;
import java.util.List;

/** Runs other programs, each with a list of arguments and never through a shell. */
public interface Programs {
    /** Runs the program to its end, or until its time is over. */
    Outcome run(Call call);

    /** Starts the program, which ends with this process at the latest. */
    Background start(List<String> command);

    /**
     * A program with its arguments.
     *
     * @param input what it reads from its standard input
     * @param limit how long it may take
     */
    record Call(List<String> command, String input, Duration limit) {
        public Call {
            command = List.copyOf(command);
        }
    }

    /** A program that was started. */
    interface Background {
        boolean isRunning();

        /** The last line that it has written; empty if it has written none. */
        String lastLine();
    }

    /** How a program has ended. */
    sealed interface Outcome {
        /** By itself. */
        record Ended(int code, String out, String err) implements Outcome {}

        /** It was ended because its time was over. */
        record TimedOut(Duration limit) implements Outcome {}

        /** It could not be started. */
        record NotStarted(String why) implements Outcome {}

        default boolean succeeded() {
            return this instanceof Ended(int code, _, _) && code == 0;
        }

        /** What it has written to its standard output; empty if it did not end by itself. */
        default String out() {
            return this instanceof Ended ended ? ended.out() : "";
        }

        /** Why it has failed, in one line. */
        default String complaint() {
            return switch (this) {
                case Ended(int code, _, String err) when err.isBlank() -> "it ended with " + code;
                case Ended(_, _, String err) -> lastLine(err);
                case TimedOut(Duration limit) ->
                        "it did not end within " + limit.toSeconds() + " s";
                case NotStarted(String why) -> why;
            };
        }

        /** The last line says what went wrong; those before it are often warnings. */
        private static String lastLine(String text) {
            return text.strip().lines().reduce((_, last) -> last).orElse("").strip();
        }
    }
}
