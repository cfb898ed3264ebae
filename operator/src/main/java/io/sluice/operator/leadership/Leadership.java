// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectorBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.sluice.operator.config.LeaseTerms;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process may act. A leader that can't renew its lease stops when {@code
 * renewDeadline} is over, and others take the lease {@code duration} after the last renewal at the
 * earliest. One that stood still for longer than the time between the two may have lost it without
 * having noticed: it counts its own heartbeat, and acts no more. The time between two beats is
 * measured by a clock that only goes forward: a step of the system's clock is no standstill, and
 * hides none.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration BEAT = Duration.ofMillis(250);

    private final LeaseTerms terms;
    private final LongSupplier nanos;
    private final Runnable lost;
    private final ScheduledExecutorService heart =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("heartbeat").factory());
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("lease").factory());
    private final UnrenewedLease unrenewed;
    private volatile boolean leads;
    private volatile boolean leaving;
    private volatile long lastBeat;

    /**
     * @param nanos a clock that only goes forward, such as {@link System#nanoTime}
     * @param lost ends the process at once; what it was about to do is done by the next leader
     */
    public Leadership(LeaseTerms terms, LongSupplier nanos, Runnable lost) {
        this.terms = terms;
        this.nanos = nanos;
        this.lost = lost;
        this.lastBeat = nanos.getAsLong();
        this.unrenewed = new UnrenewedLease(terms, nanos);
        var _ = heart.scheduleAtFixedRate(this::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * For the framework, which keeps caches warm in those that don't lead. Its own way out runs the
     * shutdown hooks, in which reconciliations go on for longer than the lease lasts; it lets go of
     * it under this name only.
     */
    public LeaderElectionConfiguration configuration() {
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(terms.name())
                .withLeaseNamespace(terms.namespace())
                .withIdentity(terms.identity())
                .withLeaseDuration(terms.duration())
                .withRenewDeadline(terms.renewDeadline())
                .withRetryPeriod(terms.retryPeriod())
                .withLeaderCallbacks(
                        new LeaderCallbacks(this::started, this::stopped, this::follows))
                .buildForTest(false);
    }

    public boolean leads() {
        return leads;
    }

    /** From now on, as long as this one does not lead: nobody waits for a leader that is gone. */
    public void lookAfter(KubernetesClient client) {
        long pause = terms.duration().toMillis() / 4;
        var _ =
                looks.scheduleWithFixedDelay(
                        () -> {
                            if (!leads) {
                                unrenewed.look(client);
                            }
                        },
                        pause,
                        pause,
                        TimeUnit.MILLISECONDS);
    }

    /** Asked before each effect. */
    public boolean mayAct() {
        return leads && !stoodStill();
    }

    /** The process ends in good order: to lead no more is no loss then. */
    public void leave() {
        leaving = true;
    }

    /**
     * Gives the lease to who wants it. Only for after the last reconciliation: others may act from
     * now on. One that can't be given away runs out.
     */
    public void handOver(KubernetesClient client) {
        var lock = new LeaseLock(terms.namespace(), terms.name(), terms.identity());
        var config =
                new LeaderElectionConfig(
                        lock,
                        terms.duration(),
                        terms.renewDeadline(),
                        terms.retryPeriod(),
                        new LeaderCallbacks(() -> {}, () -> {}, _ -> {}),
                        false,
                        terms.name());
        try {
            new LeaderElectorBuilder(client, Runnable::run).withConfig(config).build().release();
        } catch (KubernetesClientException refused) {
            LOG.atWarn()
                    .addKeyValue("identity", terms.identity())
                    .setCause(refused)
                    .log(
                            "the lease could not be handed over: another operator waits until it ends");
        }
    }

    private void started() {
        leads = true;
        LOG.atInfo().addKeyValue("identity", terms.identity()).log("leads");
    }

    private void stopped() {
        leads = false;
        if (!leaving) {
            LOG.atError()
                    .addKeyValue("identity", terms.identity())
                    .log("could not renew the lease and ends; another operator takes over");
            lost.run();
        }
    }

    private void follows(String leader) {
        LOG.atInfo().addKeyValue("leader", leader).log("the leader is");
    }

    private boolean stoodStill() {
        return nanos.getAsLong() - lastBeat > terms.patience().toNanos();
    }

    private void beat() {
        if (leads && stoodStill()) {
            leads = false;
            LOG.atError()
                    .addKeyValue("identity", terms.identity())
                    .log("was paused for longer than its lease allows, and ends");
            lost.run();
        }
        lastBeat = nanos.getAsLong();
    }

    @Override
    public void close() {
        heart.shutdownNow();
        looks.shutdownNow();
    }
}
