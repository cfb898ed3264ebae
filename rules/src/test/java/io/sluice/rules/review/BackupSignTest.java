// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class BackupSignTest {
    private final ObjectNode resource = new ObjectMapper().createObjectNode();

    @Test
    void aFinalizerOfAnOperatorSaysSoUntilTheResourceIsStored() {
        ObjectNode metadata = resource.putObject("metadata");
        metadata.putArray("finalizers")
                .add("example.com/keep")
                .add("flinkdeployments.flink.apache.org/finalizer");

        assertThat(BackupSign.of(resource))
                .contains("metadata.finalizers has 'flinkdeployments.flink.apache.org/finalizer'");
        metadata.put("resourceVersion", "812");
        assertThat(BackupSign.of(resource)).isEmpty();
    }

    @Test
    void whateverStandsInPlaceOfAListOrAMapSaysNothing() {
        resource.putObject("metadata").put("finalizers", "x").put("labels", 1);

        assertThat(BackupSign.of(resource)).isEmpty();
        assertThat(BackupSign.of(new ObjectMapper().createObjectNode())).isEmpty();
    }
}
