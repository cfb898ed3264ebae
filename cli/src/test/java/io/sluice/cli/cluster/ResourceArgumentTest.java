// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ResourceKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceArgumentTest {
    @ParameterizedTest
    @CsvSource({
        "flinkdep/orders, FLINK_DEPLOYMENT",
        "FlinkDeployment/orders, FLINK_DEPLOYMENT",
        "sessionjob/orders, FLINK_SESSION_JOB",
        "flinksnp/orders, FLINK_STATE_SNAPSHOT",
        "flinkbgdep/orders, FLINK_BLUE_GREEN_DEPLOYMENT",
        "flinkbluegreendeployments.v1beta1.flink.apache.org/orders, FLINK_BLUE_GREEN_DEPLOYMENT",
    })
    void aKindIsNamedAsKubectlTakesIt(String text, ResourceKind kind) {
        assertThat(ResourceArgument.of(text))
                .contains(new ResourceArgument(Optional.of(kind), "orders"));
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void theWordThatIsShownIsUnderstood(ResourceKind kind) {
        assertThat(ResourceArgument.of(KindWords.argument(kind, "orders")))
                .contains(new ResourceArgument(Optional.of(kind), "orders"));
    }

    @Test
    void aNameAloneLeavesTheKindOpen() {
        assertThat(ResourceArgument.of("orders"))
                .contains(new ResourceArgument(Optional.empty(), "orders"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "flinkdep/", "pods/orders", "a/b/c", "flinkdep.apps/orders"})
    void anythingElseNamesNone(String text) {
        assertThat(ResourceArgument.of(text)).isEmpty();
    }
}
