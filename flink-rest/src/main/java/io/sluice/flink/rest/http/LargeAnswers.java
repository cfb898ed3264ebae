// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.Reply;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The questions whose last answer was too large. To ask one again costs as much as reading what is
 * allowed, so that it is asked again only after a pause, which doubles each time. Other questions
 * to the same JobManager are not held up: a job with too many exceptions can be stopped.
 */
final class LargeAnswers {
    private record Question(URI at, String what) {}

    private record Exceeded(AnswerLimit limit, String message, Instant until, Duration pause) {}

    private final BreakerSettings settings;
    private final Map<Question, Exceeded> exceeded;

    LargeAnswers(BreakerSettings settings) {
        this.settings = settings;
        exceeded =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Question, Exceeded> eldest) {
                        return size() > settings.clusters();
                    }
                };
    }

    /** The reply to give instead of asking; empty if it is to be asked. */
    synchronized <T> Optional<Reply<T>> known(URI at, String what, Instant now) {
        return Optional.ofNullable(exceeded.get(new Question(at, what)))
                .filter(last -> now.isBefore(last.until()))
                .map(last -> new Reply.TooLarge<>(last.limit(), last.message()));
    }

    /**
     * Remembers what came of it. That others left no room for an answer is not its sender's fault.
     */
    synchronized void answered(URI at, String what, Reply<?> reply, Instant now) {
        var question = new Question(at, what);
        if (reply instanceof Reply.TooLarge<?>(var limit, var message)
                && limit != AnswerLimit.IN_FLIGHT) {
            Duration pause =
                    Optional.ofNullable(exceeded.get(question))
                            .map(last -> settings.longer(last.pause()))
                            .orElse(settings.firstPause());
            exceeded.put(question, new Exceeded(limit, message, now.plus(pause), pause));
        } else if (!exceeded.isEmpty()) {
            exceeded.remove(question);
        }
    }
}
