// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * What one look of the analysis has found; empty what nobody says.
 *
 * @param isAsked whether there was a look
 * @param restarts of the other half's job since its JobManager started
 * @param checkpoints of it that are complete
 * @param other how far the other half is
 * @param active how far the active half is
 * @param queries what Prometheus answers, in the order of the option
 */
@RecordBuilder
public record Figures(
        boolean isAsked,
        Optional<Long> restarts,
        Optional<Long> checkpoints,
        Progress other,
        Progress active,
        List<QueryAnswer> queries)
        implements FiguresBuilder.With {
    public static final Figures NOT_ASKED = of(false, Optional.empty(), Optional.empty());

    /** Somebody has looked, and nobody answers. */
    public static final Figures UNKNOWN = of(Optional.empty(), Optional.empty());

    public Figures {
        queries = List.copyOf(queries);
    }

    /** Those that Flink counts by itself. */
    public static Figures of(Optional<Long> restarts, Optional<Long> checkpoints) {
        return of(true, restarts, checkpoints);
    }

    private static Figures of(
            boolean isAsked, Optional<Long> restarts, Optional<Long> checkpoints) {
        return new Figures(
                isAsked, restarts, checkpoints, Progress.UNKNOWN, Progress.UNKNOWN, List.of());
    }

    /**
     * How far the job of a half is.
     *
     * @param pending records that wait at its sources
     * @param watermark up to when its vertices have come
     */
    public record Progress(Optional<Double> pending, Optional<Watermark> watermark) {
        public static final Progress UNKNOWN = new Progress(Optional.empty(), Optional.empty());
    }

    /**
     * The lowest watermark of a job's vertices, those without one left out.
     *
     * @param millis since the epoch, in the time of the records
     * @param isEverywhere whether no vertex is without one
     */
    public record Watermark(double millis, boolean isEverywhere) {}

    /**
     * What Prometheus says to one query.
     *
     * @param name of the query
     * @param value empty if it is not known
     * @param min the least that passes
     * @param max the most that passes
     * @param why the value is not known, for people; empty if it is
     */
    public record QueryAnswer(
            String name,
            Optional<Double> value,
            Optional<Double> min,
            Optional<Double> max,
            String why) {}
}
