// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static io.sluice.api.spec.ResourceKind.FLINK_DEPLOYMENT;
import static io.sluice.api.spec.ResourceKind.FLINK_SESSION_JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.ResourceKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobArgumentTest {
    @ParameterizedTest
    @CsvSource({
        "flinkdep/orders, FLINK_DEPLOYMENT",
        "FlinkDeployment/orders, FLINK_DEPLOYMENT",
        "flinkdeployments.flink.apache.org/orders, FLINK_DEPLOYMENT",
        "flinkdeployments.v1beta1.flink.apache.org/orders, FLINK_DEPLOYMENT",
        "sessionjob/orders, FLINK_SESSION_JOB",
        "flinksessionjob/orders, FLINK_SESSION_JOB",
        "flinksessionjobs/orders, FLINK_SESSION_JOB",
    })
    void kindsAreNamedAsKubectlTakesThem(String text, ResourceKind kind) {
        assertThat(JobArgument.of(text, false))
                .isEqualTo(new JobArgument(Optional.of(kind), "orders"));
    }

    @Test
    void aNameAloneMayBeOfEitherKind() {
        assertThat(JobArgument.of("orders", false).kinds())
                .containsExactly(FLINK_DEPLOYMENT, FLINK_SESSION_JOB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "flinksessionjob/orders"})
    void theOptionSaysThatItIsASessionJob(String text) {
        assertThat(JobArgument.of(text, true))
                .isEqualTo(new JobArgument(Optional.of(FLINK_SESSION_JOB), "orders"));
    }

    @Test
    void theOptionContradictsTheKindOfADeployment() {
        assertThatThrownBy(() -> JobArgument.of("flinkdep/orders", true))
                .isInstanceOf(NotCreated.class)
                .hasMessage(
                        "--session-job: JOB is 'flinkdep/orders', a FlinkDeployment; leave out one"
                                + " of the two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "flinkdep/",
                "/orders",
                "flinkdep/a/b",
                "deployment/orders",
                "flinkdep.apps/orders"
            })
    void whatNamesNoJobIsToldWithTheFormsThatDo(String text) {
        assertThatThrownBy(() -> JobArgument.of(text, false))
                .isInstanceOf(NotCreated.class)
                .hasMessage(
                        "JOB: '"
                                + text
                                + "' names no job; write NAME, flinkdep/NAME or"
                                + " flinksessionjob/NAME");
    }

    @Test
    void aBlueGreenPairIsNotAJob() {
        assertThatThrownBy(() -> JobArgument.of("flinkbgdep/pair", false))
                .hasMessageContainingAll("'flinkbgdep/pair' is a pair", "kubectl get flinkdep");
    }

    @Test
    void aSnapshotIsNotAJob() {
        assertThatThrownBy(() -> JobArgument.of("flinksnp/nightly", false))
                .hasMessageContaining("'flinksnp/nightly' is no job");
    }
}
