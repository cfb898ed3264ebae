// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Mark;
import io.sluice.autoscaler.explain.Pace;
import io.sluice.autoscaler.explain.Timeline;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.state.Discarded;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is counted of one job, and its last hours. */
public final class JobCounters {
    private final Map<HoldReason, Long> holds = new EnumMap<>(HoldReason.class);
    private final Map<Discarded.Cause, Long> discarded = new EnumMap<>(Discarded.Cause.class);
    private final Timeline timeline = new Timeline();
    private Optional<HoldReason> lastHeld = Optional.empty();
    private Optional<String> lastFailed = Optional.empty();
    private List<Discarded> lastDiscarded = List.of();
    private Optional<Instant> behindSince = Optional.empty();
    private long scalings;
    private long failures;

    public void scaled() {
        scalings++;
        lastHeld = Optional.empty();
    }

    /** Counts a failure; says whether it is another one than the last. */
    boolean failed(String why) {
        failures++;
        boolean news = !lastFailed.equals(Optional.of(why));
        lastFailed = Optional.of(why);
        return news;
    }

    /** Counts what of the stored state is not used; says whether it is another than the last. */
    boolean discarded(List<Discarded> entries) {
        entries.forEach(entry -> discarded.merge(entry.cause(), 1L, Long::sum));
        boolean news = !entries.isEmpty() && !entries.equals(lastDiscarded);
        lastDiscarded = entries.isEmpty() ? lastDiscarded : entries;
        return news;
    }

    /** Counts a hold; says whether it is another one than the last. */
    public boolean held(HoldReason reason) {
        holds.merge(reason, 1L, Long::sum);
        boolean news = !lastHeld.equals(Optional.of(reason));
        lastHeld = Optional.of(reason);
        return news;
    }

    /**
     * How long the job has not kept up, without a break, as far as this process saw it; empty if it
     * keeps up. A look that measured nothing changes nothing.
     */
    public Optional<Duration> behind(Pace pace, Instant now) {
        behindSince =
                switch (pace) {
                    case UNKNOWN -> behindSince;
                    case KEEPS_UP -> Optional.empty();
                    case BEHIND ->
                            behindSince.filter(at -> !at.isAfter(now)).or(() -> Optional.of(now));
                };
        return behindSince.map(since -> Duration.between(since, now));
    }

    public long scalings() {
        return scalings;
    }

    public long failures() {
        return failures;
    }

    public Map<HoldReason, Long> holds() {
        return holds;
    }

    Map<Discarded.Cause, Long> discarded() {
        return discarded;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** Puts {@code explanation} on the time line, and into its hour. */
    public Explanation explained(Explanation explanation) {
        explanation
                .consumption()
                .ifPresent(
                        consumption ->
                                explanation
                                        .hours()
                                        .add(
                                                explanation.at(),
                                                explanation.rate().orElse(Double.NaN),
                                                consumption.slots(),
                                                explanation.lagSeconds().orElse(Double.NaN)));
        timeline.add(explanation.at(), explanation.vertices(), explanation.verdict().wanted());
        if (!(explanation.verdict() instanceof Verdict.Failed)) {
            lastFailed = Optional.empty();
        }
        switch (explanation.verdict()) {
            case Verdict.Scaled _, Verdict.Held _, Verdict.Recommended _, Verdict.Failed _ ->
                    timeline.mark(
                            Mark.of(
                                    explanation.at(),
                                    explanation.verdict(),
                                    explanation.vertices()));
            case Verdict.Balanced _, Verdict.Waiting _, Verdict.Collecting _ ->
                    lastHeld = Optional.empty();
        }
        return explanation;
    }
}
