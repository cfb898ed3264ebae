// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static io.sluice.api.spec.ResourceKind.FLINK_DEPLOYMENT;
import static io.sluice.api.spec.ResourceKind.FLINK_SESSION_JOB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobChoiceTest {
    private static final JobArgument NAME = new JobArgument(Optional.empty(), "orders");
    private static final JobArgument SESSION_JOB =
            new JobArgument(Optional.of(FLINK_SESSION_JOB), "orders");
    private static final Lookup ABSENT = new Lookup.Absent();
    private static final Lookup DEPLOYMENT =
            new Lookup.Found(new Job(FLINK_DEPLOYMENT, "orders", 3, Optional.empty()));
    private static final Lookup OF_SESSION =
            new Lookup.Found(new Job(FLINK_SESSION_JOB, "orders", 0, Optional.empty()));

    @Test
    void theOneThatExistsIsMeant() {
        assertThat(choice(NAME, DEPLOYMENT, ABSENT)).isEqualTo(chosen(DEPLOYMENT));
        assertThat(choice(NAME, ABSENT, OF_SESSION)).isEqualTo(chosen(OF_SESSION));
        assertThat(choice(NAME, DEPLOYMENT, new Lookup.Hidden(FLINK_SESSION_JOB)))
                .isEqualTo(chosen(DEPLOYMENT));
    }

    @Test
    void aSessionJobMayHaveTheNameOfASessionCluster() {
        assertThat(choice(NAME, new Lookup.SessionCluster(), OF_SESSION))
                .isEqualTo(chosen(OF_SESSION));
    }

    @Test
    void ofTwoTheKindHasToBeNamed() {
        assertThat(refusal(NAME, DEPLOYMENT, OF_SESSION))
                .isEqualTo(
                        "JOB: in namespace 'shop' a FlinkDeployment and a FlinkSessionJob are named"
                                + " 'orders'; write flinkdep/orders or flinksessionjob/orders");
    }

    @Test
    void aSessionClusterHasNoStateOfItsOwn() {
        assertThat(refusal(NAME, new Lookup.SessionCluster(), ABSENT))
                .contains("'orders'", "session cluster", "kubectl get flinksessionjobs -n shop");
    }

    @Test
    void whatMayNotBeReadIsTakenAsItWasNamed() {
        assertThat(choice(SESSION_JOB, new Lookup.Hidden(FLINK_SESSION_JOB)))
                .isEqualTo(new JobChoice.Chosen(Job.named(FLINK_SESSION_JOB, "orders")));
    }

    @Test
    void aNameAloneIsNotEnoughOfWhatMayNotBeRead() {
        assertThat(refusal(NAME, new Lookup.Hidden(FLINK_DEPLOYMENT), ABSENT))
                .contains(
                        "no right to get flinkdeployments.flink.apache.org in namespace 'shop'",
                        "write flinkdep/orders or flinksessionjob/orders");
    }

    @Test
    void ofAJobThatDoesNotExistTheOthersAreNamed() {
        assertThat(choice(NAME, ABSENT, ABSENT)).isEqualTo(new JobChoice.Missing());
        assertThat(missing(new Jobs.Listed(List.of("flinkdep/clicks", "flinksessionjob/report"))))
                .isEqualTo(
                        "JOB: there is no FlinkDeployment or FlinkSessionJob 'orders' in namespace"
                                + " 'shop'; there are: flinkdep/clicks, flinksessionjob/report");
    }

    @Test
    void ofManyJobsNotAllAreNamed() {
        List<String> names =
                IntStream.range(0, 25).mapToObj(each -> "flinkdep/job" + each).toList();

        assertThat(missing(new Jobs.Listed(names)))
                .contains("flinkdep/job19 and 5 more")
                .doesNotContain("job20");
    }

    @Test
    void whereNoJobCanBeNamedItSaysWhatToDo() {
        assertThat(missing(new Jobs.Listed(List.of()))).endsWith("name another namespace with -n");
        assertThat(missing(new Jobs.Unlisted())).contains("no right to list them");
        assertThat(missing(new Jobs.Unserved()))
                .contains("no flinkdeployments.flink.apache.org: install Sluice");
    }

    private static JobChoice choice(JobArgument argument, Lookup... found) {
        return JobChoice.of(argument, List.of(found), "shop");
    }

    private static String refusal(JobArgument argument, Lookup... found) {
        return ((JobChoice.Refused) choice(argument, found)).why();
    }

    private static JobChoice chosen(Lookup found) {
        return new JobChoice.Chosen(((Lookup.Found) found).job());
    }

    private static String missing(Jobs jobs) {
        return JobChoice.missing(NAME, jobs, "shop");
    }
}
