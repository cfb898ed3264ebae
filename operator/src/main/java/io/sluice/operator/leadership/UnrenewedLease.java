// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.operator.config.LeaseTerms;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up a lease for a holder that is gone, though the lease says that it goes on. The elector
 * compares the time of the last renewal, by the clock of the holder, with its own clock: after a
 * holder whose clock was an hour ahead nobody would lead for an hour. Here counts for how long this
 * process has seen the same version of the lease, by a clock that only goes forward. It is given up
 * after twice its duration, as the elector takes it sooner where the clocks agree, and only if it
 * still has that version.
 */
final class UnrenewedLease {
    private static final Logger LOG = LoggerFactory.getLogger(UnrenewedLease.class);

    private final LeaseTerms terms;
    private final LongSupplier nanos;
    private Optional<Seen> seen = Optional.empty();

    /**
     * @param since by {@link #nanos}
     */
    private record Seen(String version, long since) {}

    UnrenewedLease(LeaseTerms terms, LongSupplier nanos) {
        this.terms = terms;
        this.nanos = nanos;
    }

    /**
     * For one that does not lead, every few seconds. What the API server refuses is tried again.
     */
    void look(KubernetesClient client) {
        try {
            Optional.ofNullable(
                            client.leases()
                                    .inNamespace(terms.namespace())
                                    .withName(terms.name())
                                    .get())
                    .filter(UnrenewedLease::isHeld)
                    .filter(this::isOver)
                    .ifPresent(lease -> giveUp(client, lease));
        } catch (KubernetesClientException unknown) {
            LOG.atDebug().setCause(unknown).log("the lease could not be read or given up");
        }
    }

    private static boolean isHeld(Lease lease) {
        return Optional.ofNullable(lease.getSpec())
                .map(LeaseSpec::getHolderIdentity)
                .filter(holder -> !holder.isEmpty())
                .isPresent();
    }

    private boolean isOver(Lease lease) {
        String version = lease.getMetadata().getResourceVersion();
        long now = nanos.getAsLong();
        Seen first =
                seen.filter(before -> before.version().equals(version))
                        .orElseGet(() -> new Seen(version, now));
        seen = Optional.of(first);
        return now - first.since() > longest(lease).multipliedBy(2).toNanos();
    }

    /** The holder may have been configured otherwise. */
    private Duration longest(Lease lease) {
        Duration said =
                Duration.ofSeconds(
                        Optional.ofNullable(lease.getSpec().getLeaseDurationSeconds()).orElse(0));
        return said.compareTo(terms.duration()) > 0 ? said : terms.duration();
    }

    private static void giveUp(KubernetesClient client, Lease lease) {
        client.resource(new LeaseBuilder(lease).editSpec().withHolderIdentity("").endSpec().build())
                .update();
        LOG.atWarn()
                .addKeyValue("holder", lease.getSpec().getHolderIdentity())
                .addKeyValue("renewed", String.valueOf(lease.getSpec().getRenewTime()))
                .log(
                        "gave up the lease of a leader that renews it no more; by its time it would go on, so its clock was ahead of the clock here");
    }
}
