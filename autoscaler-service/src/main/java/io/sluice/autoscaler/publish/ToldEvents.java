// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Events whose repetitions are dropped for a while, as this process told them. An event may come
 * with each look at a job, so that nobody is asked whether it was told.
 */
final class ToldEvents {
    private final Map<Identity, Told> told = new ConcurrentHashMap<>();
    private final InstantSource uptime;

    private record Identity(JobKey job, String reason, String what) {
        static Identity of(JobKey job, EngineEvent event) {
            return new Identity(job, event.reason(), event.key().orElse(event.message()));
        }
    }

    private record Told(Instant quietUntil, Optional<String> content) {}

    /**
     * @param uptime a clock that nobody sets
     */
    ToldEvents(InstantSource uptime) {
        this.uptime = uptime;
    }

    /** Whether the event repeats one that was told lately, and is to be dropped. */
    boolean isRepeated(JobKey job, EngineEvent event) {
        return event.quiet().isPresent()
                && Optional.ofNullable(told.get(Identity.of(job, event)))
                        .filter(last -> last.content().equals(event.content()))
                        .filter(last -> uptime.instant().isBefore(last.quietUntil()))
                        .isPresent();
    }

    void add(JobKey job, EngineEvent event) {
        Instant now = uptime.instant();
        told.values().removeIf(last -> !now.isBefore(last.quietUntil()));
        event.quiet()
                .ifPresent(
                        quiet ->
                                told.put(
                                        Identity.of(job, event),
                                        new Told(now.plus(quiet), event.content())));
    }

    /** The job is gone, or somebody else's now. */
    void leave(JobKey job) {
        told.keySet().removeIf(identity -> identity.job().equals(job));
    }
}
