// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.sluice.api.FlinkDeployment;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CrdAgeTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SCHEMA = "/spec/versions/0/schema/openAPIV3Schema";

    private final ObjectNode shipped = read();
    private final ObjectNode installed = shipped.deepCopy();

    @Test
    void whatIsShippedIsNotOlderThanItself() {
        assertThat(CrdAge.missing(crd(shipped), crd(installed))).isEmpty();
    }

    @Test
    void aFieldThatIsNotThereIsMissing() {
        at(installed, "/properties/spec/properties").remove("jobManager");

        assertThat(CrdAge.missing(crd(shipped), crd(installed)))
                .containsExactly(".spec.jobManager");
    }

    @Test
    void aWordThatWouldBeRefusedIsMissing() {
        ObjectNode mode = at(installed, "/properties/spec/properties/mode");
        mode.putArray("enum").add("native");

        assertThat(CrdAge.missing(crd(shipped), crd(installed)))
                .containsExactly(".spec.mode: standalone");
    }

    @Test
    void aStatusThatDropsUnknownFieldsIsOlder() {
        at(installed, "/properties/status").remove("x-kubernetes-preserve-unknown-fields");

        assertThat(CrdAge.missing(crd(shipped), crd(installed)))
                .anyMatch(missing -> missing.startsWith(".status"));
    }

    @Test
    void aNewerOneIsFine() {
        at(installed, "/properties/spec/properties").putObject("another").put("type", "string");

        assertThat(CrdAge.missing(crd(shipped), crd(installed))).isEmpty();
    }

    @Test
    void whatToDoNeedsNothingButTheChart() {
        assertThat(new InstalledCrds.Finding.Older("orders.example.org", List.of(".spec")).text())
                .contains("helm show crds CHART | kubectl apply --server-side")
                .doesNotContain("helm/sluice");
    }

    private static ObjectNode at(ObjectNode crd, String path) {
        JsonNode found = crd.at(SCHEMA + path);
        return (ObjectNode) found;
    }

    private static CustomResourceDefinition crd(ObjectNode node) {
        return JSON.convertValue(node, CustomResourceDefinition.class);
    }

    private static ObjectNode read() {
        try (var yaml =
                Objects.requireNonNull(
                        FlinkDeployment.class.getResourceAsStream(
                                "/crds/flinkdeployments.flink.apache.org-v1.yml"))) {
            return (ObjectNode) new YAMLMapper().readTree(yaml);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
