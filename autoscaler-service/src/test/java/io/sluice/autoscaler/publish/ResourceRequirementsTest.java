// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourceRequirementsTest {
    private static final URI AT = URI.create("http://shop:8081");
    private static final JobKey KEY = JobKey.of("shop", "orders", "0a");

    private final FakeJobManager flink = new FakeJobManager();
    private final FakeCluster cluster = flink.start(AT);
    private final FakeJob job =
            cluster.run(
                    "0a",
                    "orders",
                    new JobVertex("01", "source", 1, 128, "RUNNING"),
                    new JobVertex("02", "work", 1, 128, "RUNNING"));
    private final List<EngineEvent> events = new ArrayList<>();
    private final ResourceRequirements realizer = new ResourceRequirements(flink, recording());

    @Test
    void asksForAllVerticesAndTellsOfIt() {
        assertThat(carryOut(Map.of("02", 3))).isEmpty();

        assertThat(flink.resourceRequirements(AT, "0a").answer())
                .hasValue(
                        Map.of(
                                "01",
                                new ParallelismBounds(1, 1),
                                "02",
                                new ParallelismBounds(1, 3)));
        assertThat(events)
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("work (02) 1..3"));
    }

    @Test
    void asksForNothingTwice() {
        JobDetails before = details();
        realizer.carryOut(KEY, AT, before, Map.of("02", 3));
        realizer.carryOut(KEY, AT, before, Map.of("02", 3));

        assertThat(events).hasSize(1);
    }

    @Test
    void asksAJobThatWasNeverScaledForNothing() {
        int calls = cluster.calls();

        assertThat(realizer.carryOut(KEY, AT, details(), Map.of())).isEmpty();

        assertThat(cluster.calls()).isEqualTo(calls + 1);
    }

    @Test
    void saysThatFlinkRefuses() {
        job.runsUnderTheDefaultScheduler();

        assertThat(carryOut(Map.of("02", 3)))
                .hasValueSatisfying(why -> assertThat(why).contains("adaptive"));
    }

    @Test
    void saysThatNobodyAnswers() {
        JobDetails before = details();
        cluster.goSilent();

        assertThat(realizer.carryOut(KEY, AT, before, Map.of("02", 3)))
                .hasValueSatisfying(why -> assertThat(why).contains("nobody answers"));
        assertThat(events).isEmpty();
    }

    private Optional<String> carryOut(Map<String, Integer> overrides) {
        return realizer.carryOut(KEY, AT, details(), overrides);
    }

    private JobDetails details() {
        return flink.job(AT, "0a").answer().orElseThrow();
    }

    private JobEvents recording() {
        return new JobEvents() {
            @Override
            public void publish(JobKey key, EngineEvent event) {
                events.add(event);
            }

            @Override
            public void leave(JobKey key) {}
        };
    }
}
