// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether simulators alone, without the test that a mutant names, show that it is a fault. */
sealed interface Sight {
    /** As it stands in the file of a mutant. */
    String line();

    /** Where it is caught; empty if it is not. */
    default Optional<Caught> caught() {
        return Optional.empty();
    }

    /** Whether somebody has said why, in place of what runs have shown. */
    default boolean isArgued() {
        return false;
    }

    /**
     * A seed breaks a promise with it, and none without it.
     *
     * @param simulator a test class, or one method of it
     */
    record Caught(NamedTest simulator, long seed) implements Sight {
        @Override
        public String line() {
            return "simulator: " + simulator + " " + seed;
        }

        @Override
        public Optional<Caught> caught() {
            return Optional.of(this);
        }
    }

    /**
     * None can show it, whatever is added to its world.
     *
     * @param why in one sentence
     */
    record Unseen(String why) implements Sight {
        @Override
        public String line() {
            return "unseen: " + why;
        }

        @Override
        public boolean isArgued() {
            return true;
        }
    }

    /**
     * One could show it, and does not.
     *
     * @param lack what its world or its oracle lacks, as far as that is known
     */
    record Missed(String lack) implements Sight {
        @Override
        public String line() {
            return "missed: " + lack;
        }

        @Override
        public boolean isArgued() {
            return !SHOWN.matcher(lack).lookingAt();
        }
    }

    Pattern SHOWN = Pattern.compile("Nobody has looked|No run of \\d|Runs differ at \\d");

    Pattern CAUGHT = Pattern.compile("(\\w+(?:#\\w+)?) (\\d{1,18})");

    /** Empty if that is no such line. */
    static Optional<Sight> parse(String line) {
        String[] parts = line.split(": ", 2);
        if (parts.length < 2) {
            return Optional.empty();
        }
        return switch (parts[0]) {
            case "simulator" -> caught(CAUGHT.matcher(parts[1]));
            case "unseen" -> Optional.of(new Unseen(parts[1]));
            case "missed" -> Optional.of(new Missed(parts[1]));
            default -> Optional.empty();
        };
    }

    private static Optional<Sight> caught(Matcher told) {
        return told.matches()
                ? Optional.of(
                        new Caught(NamedTest.parse(told.group(1)), Long.parseLong(told.group(2))))
                : Optional.empty();
    }
}
