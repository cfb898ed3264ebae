// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.CollectorRegistry;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.process.metric.Series;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterJobsTest {
    private @Nullable Double up(String cluster) {
        return registry.getSampleValue(
                "sluice_autoscaler_cluster_up", new String[] {"cluster"}, new String[] {cluster});
    }

    private static final URI SHOP = URI.create("http://shop:8081");
    private static final URI BANK = URI.create("http://bank:8081");
    private static final String ID = "10d9052756f126669d8b26c22957956b";
    private static final JobKey ORDERS = JobKey.of("shop", "Orders by hour", ID);
    private static final Map<String, String> ENABLED =
            Map.of("jobmanager.scheduler", "Adaptive", "job.autoscaler.enabled", "true");

    private final FakeJobManager flink = new FakeJobManager();
    private final FakeCluster shop = flink.start(SHOP);
    private final FakeCluster bank = flink.start(BANK);
    private final CollectorRegistry registry = new CollectorRegistry();
    private Instant now = Instant.EPOCH;
    private final ClusterJobs jobs =
            new ClusterJobs(
                    StandaloneOptions.of(
                            new FlinkConfiguration(
                                    Map.of(
                                            "autoscaler.standalone.fetcher.flink-clusters",
                                            "shop=" + SHOP + ",bank=" + BANK,
                                            "job.autoscaler.utilization.target",
                                            "0.5"))),
                    flink,
                    () -> now,
                    new Series(registry));

    @Test
    void findsTheJobsOfEachCluster() {
        run(shop, ENABLED);
        run(bank, ENABLED);

        askBoth();

        assertThat(jobs.isKnown()).isTrue();
        assertThat(jobs.all())
                .extracting(each -> each.key().path())
                .containsExactlyInAnyOrder(
                        "shop/orders-by-hour-2957956b", "bank/orders-by-hour-2957956b");
        assertThat(jobs.jobManagerOf("bank")).isEqualTo(BANK);
    }

    @Test
    void putsWhatItsJobManagerSaysOnTopOfItsOwnOptions() {
        run(shop, ENABLED);

        askBoth();

        assertThat(jobs.subjectOf(ORDERS))
                .isInstanceOfSatisfying(
                        Subject.Scalable.class,
                        scalable -> {
                            assertThat(scalable.jobId()).isEqualTo(ID);
                            assertThat(scalable.options().get("job.autoscaler.utilization.target"))
                                    .hasValue("0.5");
                            assertThat(EngineOptions.interval(scalable.options()))
                                    .isEqualTo(Duration.ofSeconds(10));
                        });
    }

    @Test
    void leavesAJobAloneThatDoesNotAskForIt() {
        run(shop, Map.of("jobmanager.scheduler", "adaptive"));

        askBoth();

        assertThat(jobs.subjectOf(ORDERS)).isInstanceOf(Subject.Off.class);
    }

    @Test
    void saysThatOnlyTheAdaptiveSchedulerCanBeAsked() {
        run(shop, Map.of("job.autoscaler.enabled", "true"));

        askBoth();

        assertThat(jobs.subjectOf(ORDERS))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("jobmanager.scheduler"));
    }

    @Test
    void knowsAllItsJobsWhileAClusterDoesNotAnswer() {
        run(shop, ENABLED);
        askBoth();
        shop.goSilent();

        now = now.plus(Duration.ofHours(1));
        askBoth();

        assertThat(jobs.subjectOf(ORDERS)).isInstanceOf(Subject.Scalable.class);
        assertThat(up("shop")).isZero();
        assertThat(up("bank")).isEqualTo(1);

        shop.answer();
        shop.restartEmpty();
        askBoth();

        assertThat(jobs.find(ORDERS)).isPresent();
    }

    @Test
    void doesNotTakeAJobForGoneThatIsNotListedForAWhile() {
        run(shop, ENABLED);
        askBoth();
        shop.forget(ID);

        askBoth();

        assertThat(jobs.subjectOf(ORDERS))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("does not list"));

        now = now.plus(Duration.ofMinutes(6));
        askBoth();

        assertThat(jobs.find(ORDERS)).isEmpty();
    }

    @Test
    void forgetsAJobThatHasEnded() {
        run(shop, ENABLED);
        askBoth();
        shop.job(ID).orElseThrow().is("FINISHED");

        askBoth();

        assertThat(jobs.all()).isEmpty();
    }

    @Test
    void waitsWhileAJobDoesNotRun() {
        run(shop, ENABLED);
        shop.job(ID).orElseThrow().is("RESTARTING");

        askBoth();

        assertThat(jobs.subjectOf(ORDERS))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("RESTARTING"));
    }

    private void askBoth() {
        List.of("shop", "bank").forEach(jobs::ask);
    }

    private static void run(FakeCluster cluster, Map<String, String> configuration) {
        cluster.hasConfiguration(configuration);
        cluster.run(ID, "Orders by hour", new JobVertex("01", "source", 1, 128, "RUNNING"));
    }
}
