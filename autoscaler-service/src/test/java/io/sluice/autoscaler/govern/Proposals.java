// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Proposals as tests need them. */
final class Proposals {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final long GIBIBYTE = 1L << 30;

    /** A vertex whose subtasks can do 100 records a second each. */
    record Draft(Vertex vertex) {
        Draft swamped() {
            double capacity = 100.0 * vertex.running();
            return needing(capacity, 2 * capacity, 0, false);
        }

        Draft needing(double capacity, double rate, double backlog, boolean doubtful) {
            return with(
                    new Vertex.Need(capacity, rate, backlog, Double.NaN, doubtful), vertex.curve());
        }

        /** A source that tells how many records wait. */
        Draft waiting(double records) {
            Vertex.Need need = vertex.need();
            return with(
                    new Vertex.Need(
                            need.capacity(), need.rate(), need.backlog(), records, need.doubtful()),
                    vertex.curve());
        }

        Draft could(int parallelism, double rate) {
            double now = 1000;
            return with(
                    new Vertex.Need(now, 2 * now, 0, Double.NaN, false),
                    List.of(new Vertex.Point(parallelism, rate)));
        }

        Draft published(int parallelism) {
            return new Draft(vertex.withPublished(parallelism));
        }

        Draft reading(String... inputs) {
            return new Draft(vertex.withInputs(List.of(inputs)));
        }

        Draft sharing(int groups) {
            return new Draft(vertex.withGroups(groups));
        }

        private Draft with(Vertex.Need need, List<Vertex.Point> curve) {
            return new Draft(vertex.with().need(need).curve(curve).build());
        }
    }

    private Proposals() {}

    static Draft vertex(int running, int proposed) {
        double capacity = 100.0 * running;
        return new Draft(
                new Vertex(
                        running,
                        running,
                        proposed,
                        128,
                        0,
                        "",
                        List.of(),
                        new Vertex.Need(capacity, capacity / 2, 0, Double.NaN, false),
                        List.of()));
    }

    static Proposal job(Draft vertex) {
        return job(Map.of("work", vertex));
    }

    static Proposal job(Map<String, Draft> vertices) {
        SortedMap<String, Vertex> drawn = new TreeMap<>();
        vertices.forEach((id, draft) -> drawn.put(id, draft.vertex()));
        return new Proposal(
                NOW,
                Health.STEADY,
                drawn,
                Trend.STEADY,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(2),
                new Footprint(1, GIBIBYTE),
                1,
                1,
                0);
    }

    static Proposal growing(Proposal proposal, double growth) {
        return proposal.withTrend(new Trend(1, growth, 0, 0));
    }

    /** For a target of 0.7. */
    static Sizing sizing(double limit, int most, Alignment alignment, Scalability scalability) {
        return new Sizing(
                0.7, limit, 1, most, 100_000, 0.9, Duration.ofMinutes(30), alignment, scalability);
    }

    static Budget budget(Optional<Double> cores, Optional<Long> memory) {
        return Budget.DEFAULT.with().cores(cores).memory(memory).build();
    }
}
