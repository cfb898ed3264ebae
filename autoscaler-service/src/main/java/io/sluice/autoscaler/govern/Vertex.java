// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * One vertex as the governor sees it.
 *
 * @param running its parallelism now
 * @param published the parallelism that is published for it; {@code running} if none is
 * @param proposed the parallelism the engine would publish
 * @param highest above which Flink can't go
 * @param groups partitions or key groups its subtasks share; 0 if any number is as good
 * @param sharing its slot sharing group
 * @param inputs the vertices it reads from, by vertex id
 * @param need what it has to do
 * @param curve what it could do with other parallelisms, oldest first
 */
@RecordBuilder
public record Vertex(
        int running,
        int published,
        int proposed,
        int highest,
        int groups,
        String sharing,
        List<String> inputs,
        Need need,
        List<Point> curve)
        implements VertexBuilder.With {
    /**
     * @param rate records per second if always busy, with this parallelism
     */
    public record Point(int parallelism, double rate) {}

    /**
     * @param capacity records per second if always busy; not finite if nobody can tell
     * @param rate records per second that come in
     * @param backlog records per second to work off what waits, in the time asked for
     * @param waiting records that wait to be read, for a source that tells; not finite for others
     * @param doubtful whether its metrics contradict each other: busy, and yet nothing came in
     */
    public record Need(
            double capacity, double rate, double backlog, double waiting, boolean doubtful) {
        private static final double NEARLY = 0.95;

        Need withCapacity(double other) {
            return Double.isFinite(other)
                    ? new Need(other, rate, backlog, waiting, doubtful)
                    : this;
        }

        /** With this share of what comes in. */
        Need passing(double share) {
            return new Need(capacity, rate * share, backlog, waiting, doubtful);
        }

        /** With nothing that waits, as nothing of it can be worked off. */
        Need givenUp() {
            return new Need(capacity, rate, 0, Double.NaN, doubtful);
        }

        boolean isKnown() {
            return Double.isFinite(capacity)
                    && capacity > 0
                    && Double.isFinite(rate)
                    && rate >= 0
                    && Double.isFinite(backlog);
        }

        /** Nothing came in for long: a capacity without end, which is knowledge enough. */
        boolean idles() {
            return capacity == Double.POSITIVE_INFINITY && rate == 0;
        }

        /** Whether working off what waits, in the time asked for, takes half of all it can do. */
        boolean isDammedUp() {
            return isKnown() && backlog > capacity / 2;
        }

        /** Whether more comes in than it can do, or nearly so. */
        boolean isSwamped() {
            return isKnown() && rate > NEARLY * capacity;
        }
    }

    public Vertex {
        inputs = List.copyOf(inputs);
        curve = List.copyOf(curve);
    }

    /**
     * By how much the fullest subtask has more to do than the mean, 1 for not at all: groups can't
     * be split. A rate that was measured is limited by the fullest.
     */
    double unevenness(int parallelism) {
        return groups <= 0 || parallelism >= groups
                ? 1
                : (double) Math.ceilDiv(groups, parallelism) * parallelism / groups;
    }

    boolean isRaised() {
        return proposed > running;
    }

    boolean isLowered() {
        return proposed < running;
    }

    /** Whether it has fewer subtasks yet than were asked for. */
    boolean isPending() {
        return running < published;
    }
}
