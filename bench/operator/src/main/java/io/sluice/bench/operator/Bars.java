// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.util.List;
import java.util.stream.Collectors;

/** What every trial that measured it is held against, however many resources there were. */
record Bars(List<Column> columns) {
    static final String IDLE_RESIDENT = "idle: resident, MiB";
    static final String EDIT = "edit";
    static final String EDIT_BESIDE_SILENCE = "a tenth silent, edit of others";
    static final String STATUS_P99 = ": status p99, ms";
    static final String STOP_P99 = ": job asked to stop p99, ms";
    static final String NOT_CARRIED_OUT = ": not carried out";
    static final String RESTART = "restart: every job seen after, s";
    static final String JOBS_TOUCHED = "restart: jobs touched";
    static final String RESTART_WRITES = "restart: writes";
    static final String STEADY_REQUESTS = "steady: requests";
    static final String MOST_RESIDENT = "resident at the most, of a container's 640 MiB";
    static final String OF_ANOTHER = "the first one alone: jobs of others looked at";
    static final String TIMED_OUT = "waits that timed out";

    /**
     * @param below what a figure has to stay below
     */
    private record Limit(String figure, double below) {
        /** None at all. */
        static Limit none(String count) {
            return new Limit(count, 1);
        }

        String wanted() {
            return below == 1 ? "none" : "below " + Column.text(below);
        }
    }

    private static final List<Limit> LIMITS =
            List.of(
                    new Limit(IDLE_RESIDENT, 512),
                    new Limit(EDIT + STATUS_P99, 1000),
                    new Limit(EDIT + STOP_P99, 1000),
                    Limit.none(EDIT + NOT_CARRIED_OUT),
                    new Limit(EDIT_BESIDE_SILENCE + STATUS_P99, 1000),
                    new Limit(EDIT_BESIDE_SILENCE + STOP_P99, 1000),
                    Limit.none(EDIT_BESIDE_SILENCE + NOT_CARRIED_OUT),
                    new Limit(RESTART, 60),
                    Limit.none(JOBS_TOUCHED),
                    Limit.none(RESTART_WRITES),
                    Limit.none(STEADY_REQUESTS),
                    new Limit(MOST_RESIDENT, 640),
                    Limit.none(OF_ANOTHER),
                    Limit.none(TIMED_OUT));

    /** A bar, what was reached, and whether that is enough. */
    record Bar(String what, String reached, boolean met) {}

    Bars {
        columns = List.copyOf(columns);
    }

    /** Of what was not measured there is none. */
    List<Bar> held() {
        return LIMITS.stream()
                .filter(limit -> columns.stream().anyMatch(each -> isMeasured(each, limit)))
                .map(this::bar)
                .toList();
    }

    boolean areMet() {
        return held().stream().allMatch(Bar::met);
    }

    String text() {
        return held().stream()
                .map(
                        bar ->
                                "%-8s %-66s %s%n"
                                        .formatted(
                                                bar.met() ? "met" : "MISSED",
                                                bar.what(),
                                                bar.reached()))
                .collect(Collectors.joining());
    }

    private Bar bar(Limit limit) {
        List<Column> measured = columns.stream().filter(each -> isMeasured(each, limit)).toList();
        return new Bar(
                limit.figure() + ": " + limit.wanted(),
                measured.stream()
                        .map(each -> reached(each, limit) + " (" + each.title() + ")")
                        .collect(Collectors.joining(", ")),
                measured.stream()
                        .allMatch(
                                each -> each.figure(limit.figure()).orElseThrow() < limit.below()));
    }

    private static boolean isMeasured(Column column, Limit limit) {
        return column.figure(limit.figure()).isPresent();
    }

    private static String reached(Column column, Limit limit) {
        return Column.text(column.figure(limit.figure()).orElseThrow());
    }
}
