// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExampleManifestTest {
    @ParameterizedTest
    @EnumSource(Example.class)
    void everyObjectIsInTheNamespaceOfTheTrialAndSaysSo(Example example) {
        assertThat(items(example))
                .isNotEmpty()
                .allSatisfy(
                        item -> {
                            assertThat(item.at("/metadata/namespace").asText())
                                    .isEqualTo("sluice-try");
                            assertThat(item.at("/metadata/labels").path(Trial.LABEL).asText())
                                    .isEqualTo("sluice-try");
                        });
    }

    @ParameterizedTest
    @EnumSource(Example.class)
    void theFlinkDeploymentHasTheNameThatIsAskedForLater(Example example) {
        JsonNode deployment = items(example).getLast();

        assertThat(deployment.path("kind").asText()).isEqualTo("FlinkDeployment");
        assertThat(deployment.at("/metadata/name").asText()).isEqualTo(example.resource());
    }

    @Test
    void theFirstExampleRunsInFlinksOwnImage() {
        assertThat(items(Example.FIRST).getLast().at("/spec/image").asText())
                .isEqualTo("flink:1.20");
    }

    @Test
    void anImageThatIsNamedGoesBeforeThatOfTheFile() {
        JsonNode list = ExampleManifest.of(Example.STATEFUL, Optional.of("mirror/examples:1"));

        assertThat(list.at("/items/1/spec/image").asText()).isEqualTo("mirror/examples:1");
    }

    @Test
    void theExampleWithStateHasTheVolumeThatItNames() {
        List<JsonNode> items = items(Example.STATEFUL);

        assertThat(items.getFirst().path("kind").asText()).isEqualTo("PersistentVolumeClaim");
        assertThat(items.getFirst().at("/metadata/name").asText())
                .isEqualTo(
                        items.getLast()
                                .at("/spec/podTemplate/spec/volumes/0/persistentVolumeClaim")
                                .path("claimName")
                                .asText());
    }

    private static List<JsonNode> items(Example example) {
        return ExampleManifest.of(example, Optional.empty()).path("items").valueStream().toList();
    }
}
