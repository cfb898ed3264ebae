// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShareTest {
    private static final List<JobKey> JOBS =
            IntStream.range(0, 3000)
                    .mapToObj(i -> new JobKey("team-" + i % 7, "job-" + i, "uid-" + i))
                    .toList();

    @Test
    void givesEachJobToExactlyOneReplica() {
        List<Share> shares = shares("autoscaler-a", "autoscaler-b", "autoscaler-c");

        assertThat(JOBS)
                .allSatisfy(
                        job ->
                                assertThat(shares.stream().filter(share -> share.owns(job)))
                                        .hasSize(1));
    }

    @Test
    void sharesEvenly() {
        assertThat(
                        shares(
                                "autoscaler-7d4b9-x2x7k",
                                "autoscaler-7d4b9-x2x7l",
                                "autoscaler-7d4b9-9qq2p"))
                .allSatisfy(
                        share ->
                                assertThat(JOBS.stream().filter(share::owns).count())
                                        .isBetween(900L, 1100L));
    }

    @Test
    void movesOnlyTheJobsOfAReplicaThatGoes() {
        Share before = shares("a", "b", "c").getFirst();
        Share after = shares("a", "b").getFirst();

        assertThat(JOBS.stream().filter(before::owns)).allMatch(after::owns);
        assertThat(JOBS.stream().filter(job -> owner(before, job).equals("b")))
                .allMatch(job -> owner(after, job).equals("b"));
    }

    @Test
    void ownsNothingAsLongAsItKnowsOfNobody() {
        assertThat(JOBS).noneMatch(Share.nothing(member("a"))::owns);
    }

    @Test
    void ownsEverythingAlone() {
        assertThat(JOBS).allMatch(Share.alone(member("a"))::owns);
    }

    @Test
    void ownsNothingOfANamespaceThatIsLookedAfterElsewhere() {
        var self = member("a");
        var share =
                new Share(
                        self,
                        new TreeSet<>(List.of(self)),
                        new TreeMap<>(Map.of("team-3", "another process does")));

        assertThat(JOBS)
                .allSatisfy(
                        job ->
                                assertThat(share.owns(job))
                                        .isEqualTo(!job.namespace().equals("team-3")));
        assertThat(share.ownerOf("team-3", "job-3")).isEmpty();
    }

    @Test
    void dividesWhatAllMayDoTogether() {
        assertThat(shares("a", "b", "c").getFirst().portionOf(10)).isEqualTo(3);
        assertThat(shares("a", "b", "c").getFirst().portionOf(1)).isEqualTo(1);
        assertThat(Share.nothing(member("a")).portionOf(10)).isEqualTo(10);
    }

    private static String owner(Share share, JobKey job) {
        return share.ownerOf(job.namespace(), job.name()).map(Member::name).orElse("");
    }

    private static List<Share> shares(String... names) {
        TreeSet<Member> alive = new TreeSet<>(Stream.of(names).map(ShareTest::member).toList());
        return Arrays.stream(names).map(name -> new Share(member(name), alive)).toList();
    }

    private static Member member(String name) {
        return new Member(name, Optional.empty());
    }
}
