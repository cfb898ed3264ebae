// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.sluice.api.json.StatusJson;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An event of a resource. Its texts are as they are stored.
 *
 * @param at when it was seen last
 * @param count how often it was seen, at least 1
 */
record EventLine(Instant at, boolean isWarning, String reason, String message, int count) {
    /** How many are told. */
    private static final int MOST = 6;

    /** The newest few: warnings before others, and newer ones before older ones. */
    static List<EventLine> newest(List<Event> events) {
        return events.stream()
                .map(EventLine::of)
                .sorted(
                        Comparator.comparing(EventLine::isWarning)
                                .thenComparing(EventLine::at)
                                .reversed())
                .limit(MOST)
                .toList();
    }

    private static EventLine of(Event event) {
        return new EventLine(
                times(event)
                        .flatMap(time -> StatusJson.instant(time).stream())
                        .findFirst()
                        .orElse(Instant.EPOCH),
                "Warning".equals(event.getType()),
                text(event.getReason()),
                text(event.getMessage()),
                Math.max(1, Optional.ofNullable(event.getCount()).orElse(1)));
    }

    /** Where clients write when an event was seen last. */
    private static Stream<String> times(Event event) {
        return Stream.of(
                        Optional.ofNullable(event.getSeries())
                                .map(EventSeries::getLastObservedTime)
                                .map(MicroTime::getTime),
                        Optional.ofNullable(event.getLastTimestamp()),
                        Optional.ofNullable(event.getEventTime()).map(MicroTime::getTime),
                        Optional.ofNullable(event.getMetadata().getCreationTimestamp()))
                .flatMap(Optional::stream);
    }

    private static String text(String value) {
        return Optional.ofNullable(value).orElse("");
    }
}
