// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The environment variables of a process. One that is blank counts as one that is not set. */
public final class Environment {
    private final Map<String, String> variables;

    /**
     * Thrown with one line for people: the variable, its value, and what it should be. A process
     * that can't use its environment does not start.
     */
    public static final class Unusable extends IllegalArgumentException {
        private Unusable(String message) {
            super(message);
        }
    }

    public Environment(Map<String, String> variables) {
        this.variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }

    /** The environment of this process. */
    public static Environment ofProcess() {
        return new Environment(System.getenv());
    }

    /** The variable's value without the blanks around it. */
    public Optional<String> text(Variable variable) {
        return Optional.ofNullable(variables.get(variable.wire()))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    /** The parts of a list that has commas between them. */
    public List<String> list(Variable variable) {
        return text(variable).stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /**
     * True only if the variable says so.
     *
     * @throws Unusable if it says neither true nor false
     */
    public boolean flag(Variable variable) {
        return switch (text(variable).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            case String other -> throw wrong(variable, other, "is wrong; use true or false");
        };
    }

    /**
     * A whole number.
     *
     * @throws Unusable if the value is none, or is less than {@code least} or more than {@code
     *     most}
     */
    public int number(Variable variable, int least, int most, int otherwise) {
        Optional<String> text = text(variable);
        if (text.isEmpty()) {
            return otherwise;
        }
        boolean isNumber = text.get().matches("\\d{1,10}");
        if (!isNumber || Long.parseLong(text.get()) < least || Long.parseLong(text.get()) > most) {
            throw wrong(
                    variable, text.get(), "must be a number from %d to %d".formatted(least, most));
        }
        return Integer.parseInt(text.get());
    }

    /**
     * A value of any type.
     *
     * @param parse throws an {@link IllegalArgumentException} that says what is wrong
     * @throws Unusable if {@code parse} can't read the value
     */
    public <T> T value(Variable variable, Function<String, T> parse, T otherwise) {
        Optional<String> text = text(variable);
        try {
            return text.map(parse).orElse(otherwise);
        } catch (IllegalArgumentException unread) {
            throw wrong(variable, text.orElse(""), "is wrong: " + unread.getMessage());
        }
    }

    /**
     * The complaint about a variable that is set.
     *
     * @param what what is wrong with the value, and what to do
     */
    public static Unusable wrong(Variable variable, String value, String what) {
        return new Unusable(variable.wire() + ": '" + value + "' " + what);
    }

    /** The complaint about a variable that is not set. */
    public static Unusable missing(Variable variable, String remedy) {
        return new Unusable(variable.wire() + " is missing; " + remedy);
    }
}
