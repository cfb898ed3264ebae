// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this replica's Lease and watches the others'.
 *
 * <pre>
 *   renewed every 2 s ─▶ owns its share
 *   not renewed for 6 s ─▶ owns nothing         (before the others take over)
 *   another one's not renewed for 8 s ─▶ its jobs are shared out among the rest
 *   closed ─▶ its Lease is deleted: the others see that within 2 s
 * </pre>
 */
public final class Replicas implements Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration DEADLINE = Duration.ofSeconds(6);
    private static final Duration LITTER = Duration.ofMinutes(10);

    private final Member self;
    private final Optional<Leases> leases;
    private final ScheduledExecutorService beats =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("replicas").daemon().factory());
    private ReplicaHeartbeats sightings = ReplicaHeartbeats.NONE;
    private volatile Seen seen;

    /** What was seen at a time of {@link System#nanoTime}. */
    private record Seen(Share share, long renewed) {}

    private Replicas(Member self, Optional<Leases> leases) {
        this.self = self;
        this.leases = leases;
        seen = new Seen(Share.nothing(self), System.nanoTime());
    }

    /** Takes part; without a place this replica owns everything. */
    public static Replicas join(KubernetesClient client, Optional<Place> place) {
        Replicas replicas =
                new Replicas(
                        place.map(Place::self)
                                .orElseGet(() -> new Member("alone", Optional.empty())),
                        place.map(there -> new Leases(client, there)));
        replicas.start();
        return replicas;
    }

    @Override
    public Share share() {
        Seen last = seen;
        return leases.isEmpty()
                ? Share.alone(self)
                : System.nanoTime() - last.renewed() < DEADLINE.toNanos()
                        ? last.share()
                        : Share.nothing(self);
    }

    /** Signs off: the others take over at once. */
    @Override
    public void close() {
        beats.shutdownNow();
        try {
            if (beats.awaitTermination(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                leases.ifPresent(all -> all.remove(self));
            }
        } catch (KubernetesClientException failed) {
            LOG.atWarn()
                    .log("not signed off, others take over in {}: {}", LEASE, failed.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void start() {
        leases.ifPresent(
                all -> {
                    var _ =
                            beats.scheduleWithFixedDelay(
                                    () -> safeBeat(all), 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
                });
    }

    private void safeBeat(Leases all) {
        try {
            beat(all);
        } catch (RuntimeException failed) {
            LOG.atWarn()
                    .addKeyValue("replica", self.name())
                    .log("lease not renewed, tried again: {}", failed.toString());
        }
    }

    private void beat(Leases all) {
        long now = System.nanoTime();
        all.renew(LEASE, ZonedDateTime.now(ZoneOffset.UTC));
        sightings = sightings.after(all.read(), System.nanoTime());
        SortedSet<Member> alive = new TreeSet<>(sightings.alive(LEASE, System.nanoTime()));
        alive.add(self);
        Share share = new Share(self, alive);
        if (!share.alive().equals(seen.share().alive())) {
            LOG.atInfo()
                    .addKeyValue("replica", self.name())
                    .log("replicas: {}", share.alive().stream().map(Member::name).toList());
        }
        seen = new Seen(share, now);
        sightings.silentFor(LITTER, System.nanoTime()).forEach(all::remove);
    }
}
