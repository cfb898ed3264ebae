// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rescales of the last 24 hours, oldest first, and what is too much since the last one.
 *
 * @param waste what idled since the last rescale, in seconds of one slot
 * @param wastingSince since when there has been too much without a break
 */
public record History(List<Rescale> rescales, double waste, Optional<Instant> wastingSince) {
    public static final History NONE = new History(List.of(), 0, Optional.empty());

    private static final String BACKLOG = "backlog";
    private static final Duration DAY = Duration.ofDays(1);

    /** One for each minute of a day. */
    private static final int MOST = 1440;

    public History {
        rescales = List.copyOf(rescales);
    }

    public Optional<Rescale> last() {
        return rescales.isEmpty() ? Optional.empty() : Optional.of(rescales.getLast());
    }

    /** Rescales in the 24 hours before {@code now}; those a jumping clock put later count too. */
    public int ofDay(Instant now) {
        return (int) rescales.stream().filter(each -> each.at().plus(DAY).isAfter(now)).count();
    }

    public Optional<Instant> lastUp() {
        return rescales.reversed().stream()
                .filter(each -> each.direction() == Direction.UP)
                .map(Rescale::at)
                .findFirst();
    }

    /** Whether the job has what it took to catch up. */
    public boolean isForBacklog() {
        return last().filter(Rescale::forBacklog).isPresent();
    }

    /** How often it went up again after it had gone down. */
    public long turnsUpSince(Instant time) {
        long turns = 0;
        for (int i = 1; i < rescales.size(); i++) {
            boolean turned =
                    rescales.get(i).direction() == Direction.UP
                            && rescales.get(i - 1).direction() == Direction.DOWN;
            if (turned && rescales.get(i).at().isAfter(time)) {
                turns++;
            }
        }
        return turns;
    }

    /** When the oldest rescale of the day leaves the count. */
    public Optional<Instant> nextOfDay(Instant now) {
        return rescales.stream()
                .map(each -> each.at().plus(DAY))
                .filter(end -> end.isAfter(now))
                .findFirst();
    }

    public History with(Rescale rescale) {
        List<Rescale> next = new ArrayList<>(rescales);
        next.removeIf(each -> !each.at().plus(DAY).isAfter(rescale.at()));
        next.add(rescale);
        return new History(next, 0, Optional.empty());
    }

    /** Without a rescale that never came about: it has cost nothing. */
    public History without(Rescale rescale) {
        List<Rescale> next = new ArrayList<>(rescales);
        next.remove(rescale);
        return new History(next, waste, wastingSince);
    }

    /** Time passed with {@code excess} slots too many; with none or too few all is forgiven. */
    public History idled(double excess, Duration time, Instant now) {
        return excess <= 0
                ? new History(rescales, 0, Optional.empty())
                : new History(
                        rescales,
                        waste + excess * time.toMillis() / 1000.0,
                        wastingSince.or(() -> Optional.of(now)));
    }

    /** For the ConfigMap: {@code 2026-01-01T00:00:00Z UP,2026-01-01T01:00:00Z UP backlog,...}. */
    public String text() {
        return rescales.stream()
                .map(
                        each ->
                                each.at()
                                        + " "
                                        + each.direction()
                                        + (each.forBacklog() ? " " + BACKLOG : ""))
                .collect(Collectors.joining(","));
    }

    /**
     * What idles, for the ConfigMap: {@code 300.0 PT5M}, slot seconds and for how long; empty if
     * nothing does. Time in which nobody looked does not count.
     */
    public Optional<String> idleText(Instant now) {
        return wastingSince
                .filter(_ -> waste > 0)
                .map(since -> Duration.between(since, now))
                .map(time -> waste + " " + (time.isNegative() ? Duration.ZERO : time));
    }

    /** With what {@link #idleText} wrote; with nothing that idles if it can't be read. */
    public History withIdle(String text, Instant now) {
        String[] words = text.strip().split(" ", -1);
        try {
            double slotSeconds = words.length == 2 ? Double.parseDouble(words[0]) : 0;
            return slotSeconds > 0 && Double.isFinite(slotSeconds)
                    ? new History(
                            rescales, slotSeconds, Optional.of(now.minus(Duration.parse(words[1]))))
                    : this;
        } catch (DateTimeException | ArithmeticException | NumberFormatException unreadable) {
            return this;
        }
    }

    /**
     * What {@link #text} wrote; an entry that can't be read is left out, and so are all before the
     * last {@value #MOST}.
     */
    public static History parse(String text) {
        List<Rescale> rescales = new ArrayList<>();
        List<String> entries = List.of(text.split(",", -1));
        for (String entry : entries.subList(Math.max(0, entries.size() - MOST), entries.size())) {
            String[] words = entry.strip().split(" ", -1);
            try {
                boolean forBacklog = words.length == 3 && words[2].equals(BACKLOG);
                if (words.length == 2 || forBacklog) {
                    rescales.add(
                            new Rescale(
                                    Instant.parse(words[0]),
                                    Direction.valueOf(words[1]),
                                    forBacklog));
                }
            } catch (DateTimeException | IllegalArgumentException unreadable) {
                // Costs one rescale of the day's count, which is the smaller harm.
            }
        }
        return new History(rescales, 0, Optional.empty());
    }
}
