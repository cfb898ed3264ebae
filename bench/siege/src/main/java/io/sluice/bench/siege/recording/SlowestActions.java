// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.recording;

import static java.util.Comparator.comparing;

import io.sluice.bench.siege.ordinary.Action;
import io.sluice.bench.siege.ordinary.Measured;
import io.sluice.bench.siege.ordinary.Measurements;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The slowest actions of each kind, each with the requests for its resource, and with what may have
 * held it up meanwhile: the longest pauses, and the longest requests of others.
 */
public final class SlowestActions {
    private static final int OF_EACH_KIND = 3;
    private static final int OF_OTHERS = 10;
    private static final Duration LONG_PAUSE = Duration.ofMillis(30);
    private static final Duration LONG_REQUEST = Duration.ofMillis(200);

    private final List<Event> events = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    public SlowestActions(AuditLog requests, List<CollectorLog> collectors) throws IOException {
        events.addAll(requests.events());
        for (CollectorLog each : collectors) {
            events.addAll(each.events());
        }
        events.sort(comparing(Event::begin));
    }

    /**
     * Adds those of a phase.
     *
     * @param phase what it is called
     */
    public void add(String phase, Measurements measured) {
        for (Action action : Action.values()) {
            measured.slowest(action).stream()
                    .limit(OF_EACH_KIND)
                    .forEach(each -> add(phase + ": " + action, each));
        }
    }

    public String text() {
        return text.toString();
    }

    private void add(String title, Measured action) {
        line("%n%s: %s, %d ms from %s", title, action.name(), action.millis(), action.begin());
        List<Event> during = events.stream().filter(each -> isDuring(each, action)).toList();
        Stream<Event> ofResource =
                during.stream().filter(each -> isAbout(each.name(), action.name()));
        Stream<Event> ofOthers =
                during.stream()
                        .filter(each -> !isAbout(each.name(), action.name()) && isLong(each))
                        .sorted(comparing(Event::length).reversed())
                        .limit(OF_OTHERS);
        Stream.concat(ofResource, ofOthers)
                .sorted(comparing(Event::begin))
                .forEach(
                        each ->
                                line(
                                        "%+8d ms %6d ms  %s",
                                        Duration.between(action.begin(), each.begin()).toMillis(),
                                        each.length().toMillis(),
                                        each.text()));
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private static boolean isDuring(Event event, Measured action) {
        return event.begin().isBefore(action.end()) && event.end().isAfter(action.begin());
    }

    private static boolean isLong(Event event) {
        Duration least = event.name().isEmpty() ? LONG_PAUSE : LONG_REQUEST;
        return event.length().compareTo(least) > 0;
    }

    /** The names of children begin or end with that of the resource. */
    private static boolean isAbout(String name, String resource) {
        return name.equals(resource)
                || name.startsWith(resource + "-")
                || name.endsWith("-" + resource);
    }
}
