// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

    private Curve() {}

    /** The exponent, from 0.5 to 1; 1 as long as too little is known. */
    static double exponent(Vertex vertex) {
        return Math.clamp(measured(vertex), FLATTEST, 1);
    }

    /** Whether more subtasks did not bring more. */
    static boolean isFlat(Vertex vertex) {
        return measured(vertex) < FLAT;
    }

    /** The least parallelism with which the vertex could do what it can do now, or nearly so. */
    static int leastOfSameRate(Vertex vertex) {
        return vertex.curve().stream()
                .filter(point -> point.rate() >= NEARLY * vertex.need().capacity())
                .mapToInt(Vertex.Point::parallelism)
                .reduce(vertex.running(), Math::min);
    }

    private static double measured(Vertex vertex) {
        List<Vertex.Point> points = new ArrayList<>();
        vertex.curve().forEach(point -> points.add(evened(point, vertex)));
        if (vertex.need().isKnown()) {
            points.add(
                    evened(new Vertex.Point(vertex.running(), vertex.need().capacity()), vertex));
        }
        if (points.size() < 2) {
            return 1;
        }
        Vertex.Point newest = points.getLast();
        Vertex.Point other =
                points.stream()
                        .max(Comparator.comparingDouble(point -> distance(point, newest)))
                        .orElse(newest);
        double apart = Math.log((double) newest.parallelism() / other.parallelism());
        return Math.abs(apart) < Math.log(FAR_APART)
                ? 1
                : Math.log(newest.rate() / other.rate()) / apart;
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
