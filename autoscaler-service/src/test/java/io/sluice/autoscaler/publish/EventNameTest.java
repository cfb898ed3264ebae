// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventNameTest {
    private static final JobKey KEY = new JobKey("shop", "orders", "u-1");

    @Test
    void followsTheFormulaOfTheWireContract() {
        int hash = "ScalingReportScalingExecutorNormalFlinkDeploymentordersu-1".hashCode();

        assertThat(
                        EventName.of(
                                event("ScalingReport", "1 -> 2", Optional.of("ScalingExecutor")),
                                KEY))
                .isEqualTo("Operator." + (hash & 0x7FFFFFFF));
    }

    @Test
    void isTheSameForAKeyWhateverTheMessage() {
        assertThat(EventName.of(event("ScalingReport", "1 -> 2", Optional.of("k")), KEY))
                .isEqualTo(EventName.of(event("ScalingReport", "2 -> 1", Optional.of("k")), KEY));
    }

    @Test
    void differsByMessageWithoutAKey() {
        assertThat(EventName.of(event("AutoscalerError", "a", Optional.empty()), KEY))
                .isNotEqualTo(EventName.of(event("AutoscalerError", "b", Optional.empty()), KEY));
    }

    @Test
    void differsForAResourceCreatedAgain() {
        EngineEvent event = event("AutoscalerError", "a", Optional.empty());

        assertThat(EventName.of(event, KEY))
                .isNotEqualTo(EventName.of(event, new JobKey("shop", "orders", "u-2")));
    }

    private static EngineEvent event(String reason, String message, Optional<String> key) {
        return new EngineEvent(
                EngineEvent.Severity.NORMAL,
                reason,
                message,
                key,
                Optional.empty(),
                Optional.empty());
    }
}
