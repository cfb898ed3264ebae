// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BetweenHalvesTest {
    @Test
    void isAPairWhoseHalvesTakeTurns() {
        Stream.of("Preparing", "Saving", "Starting", "Approval", "Removing", "Resuming")
                .forEach(phase -> assertThat(is("ACTIVE_BLUE", phase)).as(phase).isTrue());
        Stream.of("First", "InPlace", "Ended")
                .forEach(phase -> assertThat(is("ACTIVE_BLUE", phase)).as(phase).isFalse());
    }

    @Test
    void isAPairOfTheApacheOperatorByItsState() {
        assertThat(is("SAVEPOINTING_BLUE", "")).isTrue();
        assertThat(is("TRANSITIONING_TO_GREEN", "")).isTrue();
        assertThat(is("TRANSITIONING_TO_GREEN", "Ended")).as("handed back").isTrue();
        assertThat(is("ACTIVE_GREEN", "")).isFalse();
        assertThat(FlinkBlueGreenDeploymentStatus.NEW.isBetweenHalves()).isFalse();
    }

    private static boolean is(String state, String phase) {
        ObjectNode status = JsonNodeFactory.instance.objectNode().put("blueGreenState", state);
        if (!phase.isEmpty()) {
            status.putObject("transition").put("phase", phase);
        }
        return FlinkBlueGreenDeploymentStatus.of(status).isBetweenHalves();
    }
}
