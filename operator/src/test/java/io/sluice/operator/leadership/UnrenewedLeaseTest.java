// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.operator.config.LeaseTerms;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.SimulatedClock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The leader's clock was an hour ahead when it wrote into the lease of 15 s. */
class UnrenewedLeaseTest {
    private static final ZonedDateTime RENEWED =
            ZonedDateTime.of(2026, 1, 1, 1, 0, 0, 0, ZoneOffset.UTC);

    /** Close to the end of its range: what is compared is the difference of two readings. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final InMemoryApiServer api = new InMemoryApiServer(1, new SimulatedClock());
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final UnrenewedLease unrenewed =
            new UnrenewedLease(
                    new LeaseTerms(
                            namespace,
                            "lease",
                            "me",
                            Duration.ofSeconds(15),
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(2)),
                    nanos::get);

    @BeforeEach
    void lead() {
        client.resource(
                        new LeaseBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName("lease")
                                .endMetadata()
                                .withNewSpec()
                                .withHolderIdentity("other")
                                .withLeaseDurationSeconds(15)
                                .withRenewTime(RENEWED)
                                .endSpec()
                                .build())
                .create();
    }

    @Test
    void givesUpWhatNobodyRenewedForTwiceAsLongAsItLasts() {
        look(Duration.ZERO);
        look(Duration.ofSeconds(30));
        assertThat(holder()).isEqualTo("other");

        look(Duration.ofSeconds(1));

        assertThat(holder()).isEmpty();
    }

    @Test
    void leavesALeaderAloneWhoRenews() {
        for (int seconds = 0; seconds < 300; seconds += 20) {
            renew(seconds, 15);
            look(Duration.ofSeconds(20));
        }

        assertThat(holder()).isEqualTo("other");
    }

    @Test
    void respectsTheLongerDurationOfALeaderThatWasConfiguredOtherwise() {
        renew(0, 60);
        look(Duration.ZERO);

        look(Duration.ofSeconds(100));
        assertThat(holder()).isEqualTo("other");

        look(Duration.ofSeconds(21));
        assertThat(holder()).isEmpty();
    }

    /** It may have read the lease long ago, and stood still since. */
    @Test
    void countsFromWhenItSawTheVersionFirst() {
        look(Duration.ofHours(1));
        renew(1, 15);

        look(Duration.ofHours(1));

        assertThat(holder()).isEqualTo("other");
    }

    @Test
    void bearsThatThereIsNoLeaseYet() {
        client.leases().inNamespace(namespace).withName("lease").delete();

        look(Duration.ofHours(1));

        assertThat(client.leases().inNamespace(namespace).list().getItems()).isEmpty();
    }

    private void look(Duration later) {
        nanos.addAndGet(later.toNanos());
        unrenewed.look(client);
    }

    private void renew(int seconds, int lasts) {
        client.leases()
                .inNamespace(namespace)
                .withName("lease")
                .edit(
                        lease ->
                                new LeaseBuilder(lease)
                                        .editSpec()
                                        .withRenewTime(RENEWED.plusSeconds(seconds))
                                        .withLeaseDurationSeconds(lasts)
                                        .endSpec()
                                        .build());
    }

    private String holder() {
        Lease lease = client.leases().inNamespace(namespace).withName("lease").get();
        return lease.getSpec().getHolderIdentity();
    }
}
