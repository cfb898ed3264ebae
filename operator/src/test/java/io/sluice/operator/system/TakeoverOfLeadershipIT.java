// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.config.ChartDefaults;
import io.sluice.operator.config.LeaseTerms;
import io.sluice.operator.config.OperatorOptions.LeaderElection;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.leadership.Leadership;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two operators, of which one acts, with the terms that the chart sets. */
class TakeoverOfLeadershipIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /** From the moment the one before is cut off until another has done something. */
    private static final Duration PROMISE = ofSeconds(15);

    private static final LeaderElection CHART = ChartDefaults.leaderElection();

    /** Longer than any test waits: who gets it within one was given it. */
    private static final Duration LONG_LEASE = ofMinutes(10);

    private final InstantSource clock = InstantSource.system();
    private KubernetesClient client;
    private KubernetesClient cable;
    private String namespace;
    private Member first;
    private Member second;

    /** One of the two. */
    private record Member(RunningOperator operator, Leadership leadership, AtomicInteger lost)
            implements AutoCloseable {
        @Override
        public void close() {
            operator.close();
        }
    }

    private void start(Duration lease) {
        client = API.client();
        cable = API.newClient();
        namespace = API.newNamespace();
        first = member("first", cable, lease);
        await().atMost(ofSeconds(30)).until(() -> first.leadership().leads());
        second = member("second", client, lease);
    }

    @AfterEach
    void stop() {
        second.close();
        cable.close();
    }

    @Test
    void actsNoMoreBeforeAnotherMayWhenItIsCutOff() {
        start(CHART.lease());
        create("before");
        soon(() -> assertThat(kubelet().deployment("before")).isPresent());
        assertThat(second.leadership().mayAct()).isFalse();
        Deployment before = kubelet().deployment("before").orElseThrow();
        ApiRequests requests = ApiRequests.of(client);

        cable.close();
        create("after");
        await().atMost(PROMISE)
                .pollInterval(ofMillis(50))
                .until(() -> kubelet().deployment("after").isPresent());

        assertThat(second.leadership().leads()).isTrue();
        assertThat(first.leadership().mayAct()).isFalse();
        assertThat(first.lost()).hasPositiveValue();
        await().during(ofSeconds(3))
                .atMost(ofSeconds(10))
                .untilAsserted(() -> assertThat(changesOfDeployments(requests)).isEqualTo(1));
        assertThat(kubelet().deployment("before")).contains(before);
    }

    private long changesOfDeployments(ApiRequests before) {
        return ApiRequests.of(client)
                .since(before)
                .sum(
                        kind ->
                                kind.endsWith(" deployments")
                                        && !kind.startsWith("GET ")
                                        && !kind.startsWith("LIST "));
    }

    @Test
    void leavesWhatRunsAsItIsAndItsLeaseToAnotherWhenItEnds() {
        start(LONG_LEASE);
        create("before");
        soon(() -> assertThat(kubelet().deployment("before")).isPresent());
        String uid = kubelet().deployment("before").orElseThrow().getMetadata().getUid();

        first.close();

        await().atMost(ofSeconds(60)).until(() -> second.leadership().leads());
        assertThat(first.lost()).hasValue(0);
        assertThat(kubelet().deployment("before").orElseThrow().getMetadata().getUid())
                .isEqualTo(uid);
    }

    private Member member(String identity, KubernetesClient by, Duration lease) {
        var lost = new AtomicInteger();
        var leadership =
                new Leadership(
                        new LeaseTerms(
                                namespace,
                                "sluice-operator",
                                identity,
                                lease,
                                CHART.renewDeadline(),
                                CHART.retryPeriod()),
                        System::nanoTime,
                        lost::incrementAndGet);
        return new Member(
                new RunningOperator(
                        by,
                        RunningOperator.only(namespace),
                        new FakeJobManager(),
                        clock,
                        Optional.of(leadership)),
                leadership,
                lost);
    }

    private Kubelet kubelet() {
        return new Kubelet(client, namespace);
    }

    private void create(String name) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(name);
        resource.getMetadata().setNamespace(namespace);
        resource.setSpec(Specs.application("flink:1.20", "stateless"));
        client.resource(resource).create();
    }
}
