// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a vertex's rate grows with its parallelism: as a power of it, 1 for a perfect vertex, less if
 * subtasks hinder one another, near 0 if one hot key has it all. Learned from what was measured at
 * two parallelisms that lie far enough apart for noise not to matter.
 */
final class Curve {
    private static final double FAR_APART = 1.3;
    private static final double FLATTEST = 0.5;
    private static final double NEARLY = 0.8;
    private static final double FLAT = 0.2;

    /** So far apart two measurements have to be to tell by themselves whether more helped. */
    private static final double A_STEP = 1.5;

    /** Below this exponent twice the subtasks do less than half as much again. */
    private static final double BENT = Math.log(1.5) / Math.log(2);

    /** More is tried up to so much of the parallelism that could do the same. */
    static final double MOST_TRIED = 1.6;

    private Curve() {}

    /** The exponent, from 0.5 to 1; 1 as long as too little is known. */
    static double exponent(Vertex vertex) {
        return Math.clamp(measured(vertex), FLATTEST, 1);
    }

    /**
     * Subtasks, not rounded, that do {@code factor} times as much as those that run. A curve that
     * bends, because something behind the vertex is full or nearly so, says little of what lies far
     * beyond it: then the next step shows how it goes on.
     */
    static double subtasks(Vertex vertex, double factor) {
        double subtasks = vertex.running() * Math.pow(factor, 1 / exponent(vertex));
        return measured(vertex) < BENT
                ? Math.min(subtasks, vertex.running() * MOST_TRIED)
                : subtasks;
    }

    /**
     * Whether more subtasks did not bring more: all in all, or since the last step. A few may have
     * helped before something behind the vertex was full.
     */
    static boolean isFlat(Vertex vertex) {
        return measured(vertex) < FLAT || ofLastStep(vertex) < FLAT;
    }

    /** The least parallelism with which the vertex could do what it can do now, or nearly so. */
    static int leastOfSameRate(Vertex vertex) {
        return vertex.curve().stream()
                .filter(point -> point.rate() >= NEARLY * vertex.need().capacity())
                .mapToInt(Vertex.Point::parallelism)
                .reduce(vertex.running(), Math::min);
    }

    /** By what it can do now and what lies farthest from that, as noise matters least there. */
    private static double measured(Vertex vertex) {
        List<Vertex.Point> points = points(vertex);
        return far(points, FAR_APART)
                .max(Comparator.comparingDouble(point -> distance(point, points.getLast())))
                .map(point -> exponent(point, points.getLast()))
                .orElse(1.0);
    }

    /** By what it can do now and the nearest that is a step away. */
    private static double ofLastStep(Vertex vertex) {
        List<Vertex.Point> points = points(vertex);
        return far(points, A_STEP)
                .min(Comparator.comparingDouble(point -> distance(point, points.getLast())))
                .map(point -> exponent(point, points.getLast()))
                .orElse(1.0);
    }

    private static double exponent(Vertex.Point one, Vertex.Point other) {
        return Math.log(other.rate() / one.rate())
                / Math.log((double) other.parallelism() / one.parallelism());
    }

    /** Those of the points that lie so far, as a factor, from the last one. */
    private static Stream<Vertex.Point> far(List<Vertex.Point> points, double factor) {
        return points.stream()
                .filter(point -> distance(point, points.getLast()) >= Math.log(factor));
    }

    /** All that was measured; the last one is what it can do now, if that is known. */
    private static List<Vertex.Point> points(Vertex vertex) {
        Stream<Vertex.Point> now =
                vertex.need().isKnown()
                        ? Stream.of(new Vertex.Point(vertex.running(), vertex.need().capacity()))
                        : Stream.empty();
        return Stream.concat(vertex.curve().stream(), now)
                .map(point -> evened(point, vertex))
                .toList();
    }

    /** With groups shared out unevenly the fullest subtask sets the rate: that is no hindrance. */
    private static Vertex.Point evened(Vertex.Point point, Vertex vertex) {
        return new Vertex.Point(
                point.parallelism(), point.rate() * vertex.unevenness(point.parallelism()));
    }

    private static double distance(Vertex.Point one, Vertex.Point other) {
        return Math.abs(Math.log((double) one.parallelism() / other.parallelism()));
    }
}
