// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.Watermark;
import java.net.URI;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProgressReaderTest {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final String JOB = "0123456789abcdef0123456789abcdef";
    private static final String PENDING = "Source__orders.pendingRecords";
    private static final String IN = "currentInputWatermark";
    private static final String OUT = "Source__orders.currentOutputWatermark";

    private final FakeJobManager jobManager = new FakeJobManager();
    private final FakeCluster cluster = jobManager.start(AT);

    @Test
    void addsUpWhatWaitsAtAllSources() {
        FakeJob job = job("Source: orders", "Source: returns", "join");
        job.measures("1", PENDING, new MetricSummary(1, 5, 6));
        job.measures("2", "Source__returns.pendingRecords", new MetricSummary(2, 2, 4));
        job.measures("3", PENDING, new MetricSummary(100, 100, 100));

        assertThat(read(true, false)).isEqualTo(new Progress(Optional.of(10.0), Optional.empty()));
    }

    @Test
    void aSourceThatTellsNothingIsLeftOutUnlessNoneTells() {
        FakeJob job = job("Source: orders", "Source: rules", "join");
        assertThat(read(true, false).pending()).isEmpty();

        job.measures("1", PENDING, new MetricSummary(3, 3, 3));
        assertThat(read(true, false).pending()).contains(3.0);
    }

    @Test
    void theWatermarkIsTheLowestThatComesToAVertex() {
        FakeJob job = job("Source: orders", "window", "sink");
        job.measures("1", OUT, new MetricSummary(Long.MIN_VALUE, 9000, 0));
        job.measures("2", IN, new MetricSummary(5000, 7000, 12_000));
        job.measures("3", IN, new MetricSummary(4000, 4000, 4000));

        assertThat(read(false, true))
                .as("a subtask of the source reads nothing")
                .isEqualTo(new Progress(Optional.empty(), Optional.of(new Watermark(4000, true))));
    }

    @Test
    void tellsThatAVertexHasNoWatermark() {
        FakeJob job = job("Source: orders", "window", "sink");
        job.measures("2", IN, new MetricSummary(5000, 7000, 12_000));

        assertThat(read(false, true).watermark()).contains(new Watermark(5000, false));
    }

    @Test
    void aVertexToWhichNothingComesAnyMoreIsLeftOut() {
        FakeJob job = job("Source: orders", "window", "sink");
        job.measures("2", IN, new MetricSummary(5000, 7000, 12_000));
        job.measures("3", IN, new MetricSummary(Long.MAX_VALUE, Long.MAX_VALUE, 1));

        assertThat(read(false, true).watermark()).contains(new Watermark(5000, true));
    }

    @Test
    void ofAJobThatIsOneVertexItIsWhatTheSourceSendsOn() {
        FakeJob job = job("Source: orders");
        assertThat(read(false, true).watermark()).as("records have no time").isEmpty();

        job.measures("1", OUT, new MetricSummary(8000, 9000, 17_000));
        assertThat(read(false, true).watermark()).contains(new Watermark(8000, true));
    }

    @Test
    void nothingIsKnownOfAJobThatIsNotAnsweredForOrTooLarge() {
        assertThat(read(true, true)).isEqualTo(Progress.UNKNOWN);

        FakeJob job =
                job(
                        IntStream.range(0, 101)
                                .mapToObj(i -> i == 0 ? "Source: orders" : "map")
                                .toArray(String[]::new));
        job.measures("1", PENDING, new MetricSummary(3, 3, 3));
        assertThat(read(true, true)).isEqualTo(Progress.UNKNOWN);
    }

    private FakeJob job(String... names) {
        return cluster.run(
                JOB,
                "orders",
                IntStream.range(0, names.length)
                        .mapToObj(i -> new JobVertex("" + (i + 1), names[i], 2, 4, "RUNNING"))
                        .toArray(JobVertex[]::new));
    }

    private Progress read(boolean pending, boolean watermark) {
        return new ProgressReader(jobManager)
                .read(AT, JOB, new ProgressReader.Wanted(pending, watermark));
    }
}
