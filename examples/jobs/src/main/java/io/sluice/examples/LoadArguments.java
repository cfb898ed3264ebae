// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import io.sluice.examples.Schedule.Repeated;
import io.sluice.examples.Schedule.Sine;
import io.sluice.examples.Schedule.Step;
import io.sluice.examples.Schedule.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the job's arguments say.
 *
 * <pre>
 * --schedule 0s:200,60s:1600,120s:200   records per second from a moment on; the last rate stays
 * --repeat 180s                         the schedule begins anew after this time
 * --low 200 --high 1600 --period 120s   without --schedule: a curve that goes up and down for ever
 * --shape square|sine                   its shape
 * --high-after 60s                      square only: when in a period the rate rises (its middle)
 * --capacity 500                        records per second that one subtask of 'work' can do
 * --limit 1500                          records per second that all subtasks of 'limited' together
 *                                       can do, each at most --capacity; by default, there is no
 *                                       such vertex
 * --record-size 1024                    characters of a record
 * --records 60000                       the job ends after so many; without it, never
 * --ledger /state/ledger                the number of each record and its time are written into
 *                                       files of this folder; without it, nowhere
 * --committed /state/committed          the number of each record is written into files of this
 *                                       folder, whose names begin with "part-" once a checkpoint
 *                                       has committed them: exactly once, whatever becomes of the
 *                                       job; without it, nowhere
 * </pre>
 */
record LoadArguments(
        Schedule schedule,
        double capacity,
        Optional<Double> limit,
        int recordSize,
        long records,
        Optional<String> ledger,
        Optional<String> committed) {
    static final long ENDLESS = Long.MAX_VALUE;

    private static final Set<String> NAMES =
            Set.of(
                    "schedule",
                    "repeat",
                    "low",
                    "high",
                    "period",
                    "shape",
                    "high-after",
                    "capacity",
                    "limit",
                    "record-size",
                    "records",
                    "ledger",
                    "committed");
    private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m|h)");

    static LoadArguments of(String... arguments) {
        Map<String, String> given = named(arguments);
        return new LoadArguments(
                schedule(given),
                positive("--capacity", number("--capacity", given.getOrDefault("capacity", "500"))),
                Optional.ofNullable(given.get("limit"))
                        .map(text -> positive("--limit", number("--limit", text))),
                (int) number("--record-size", given.getOrDefault("record-size", "1024")),
                Optional.ofNullable(given.get("records"))
                        .map(text -> (long) positive("--records", number("--records", text)))
                        .orElse(ENDLESS),
                Optional.ofNullable(given.get("ledger")),
                Optional.ofNullable(given.get("committed")));
    }

    private static Map<String, String> named(String... arguments) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (!NAMES.contains(name)) {
                throw wrong(
                        arguments[i],
                        "is unknown: use one of --"
                                + String.join(", --", NAMES.stream().sorted().toList()));
            }
            if (i + 1 == arguments.length) {
                throw wrong(arguments[i], "needs a value after it");
            }
            given.put(name, arguments[i + 1]);
        }
        return given;
    }

    private static Schedule schedule(Map<String, String> given) {
        Optional<Duration> repeat =
                Optional.ofNullable(given.get("repeat")).map(text -> period("--repeat", text));
        Schedule once =
                Optional.ofNullable(given.get("schedule"))
                        .<Schedule>map(LoadArguments::steps)
                        .orElseGet(() -> wave(given));
        return repeat.<Schedule>map(every -> new Repeated(once, every)).orElse(once);
    }

    private static Steps steps(String text) {
        List<Step> steps = new ArrayList<>();
        for (String part : text.split(",")) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                throw wrong("--schedule", "has '" + part + "': write TIME:RATE, such as 60s:1600");
            }
            steps.add(
                    new Step(
                            time("--schedule", part.substring(0, colon).strip()),
                            number("--schedule", part.substring(colon + 1).strip())));
        }
        for (int i = 1; i < steps.size(); i++) {
            if (steps.get(i).start().compareTo(steps.get(i - 1).start()) <= 0) {
                throw wrong(
                        "--schedule", "is '" + text + "': its times must rise from part to part");
            }
        }
        return new Steps(steps);
    }

    private static Schedule wave(Map<String, String> given) {
        double low = number("--low", given.getOrDefault("low", "200"));
        double high = number("--high", given.getOrDefault("high", "1600"));
        Duration period = period("--period", given.getOrDefault("period", "120s"));
        String shape = given.getOrDefault("shape", "square");
        return switch (shape) {
            case "sine" -> new Sine(low, high, period);
            case "square" -> {
                Duration rise =
                        Optional.ofNullable(given.get("high-after"))
                                .map(text -> time("--high-after", text))
                                .orElse(period.dividedBy(2));
                if (rise.compareTo(period) >= 0) {
                    throw wrong("--high-after", "must be shorter than --period");
                }
                yield new Repeated(
                        new Steps(List.of(new Step(Duration.ZERO, low), new Step(rise, high))),
                        period);
            }
            default -> throw wrong("--shape", "is '" + shape + "': use square or sine");
        };
    }

    private static Duration period(String name, String text) {
        Duration period = time(name, text);
        if (period.isZero()) {
            throw wrong(name, "must be longer than zero");
        }
        return period;
    }

    private static Duration time(String name, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw wrong(
                    name,
                    "has the time '" + text + "': write a number and ms, s, m or h, such as 90s");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    private static double number(String name, String text) {
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && number <= 1e9) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below, like every other wrong number
        }
        throw wrong(name, "has the number '" + text + "': give one from 0 to 1000000000");
    }

    private static double positive(String name, double number) {
        if (number == 0) {
            throw wrong(name, "must be above zero");
        }
        return number;
    }

    private static IllegalArgumentException wrong(String name, String what) {
        return new IllegalArgumentException("argument " + name + " " + what);
    }
}
