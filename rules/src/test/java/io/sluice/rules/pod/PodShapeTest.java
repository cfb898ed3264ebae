// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.json.FieldProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodShapeTest {
    @Test
    void namesThePartThatIsOfAnotherTypeAndTheRightOne() throws Exception {
        assertThat(found("spec: {containers: {main: {image: x}}}"))
                .containsExactly(
                        "spec.podTemplate.spec.containers: has the wrong type; write a list");
        assertThat(found("spec: {containers: [{name: a, ports: [{containerPort: rest}]}]}"))
                .containsExactly(
                        "spec.podTemplate.spec.containers[0].ports[0].containerPort: has the wrong"
                                + " type; write a whole number");
        assertThat(found("spec: {hostNetwork: [true]}"))
                .containsExactly(
                        "spec.podTemplate.spec.hostNetwork: has the wrong type; write true or"
                                + " false");
        assertThat(found("spec: {securityContext: strict}").getFirst())
                .startsWith("spec.podTemplate.spec.securityContext: ")
                .contains("write an object");
    }

    @Test
    void showsNoValueThatMayBeASecret() throws Exception {
        assertThat(found("spec: {containers: [{name: a, env: {PASSWORD: hunter2}}]}"))
                .singleElement()
                .asString()
                .startsWith("spec.podTemplate.spec.containers[0].env: ")
                .doesNotContain("hunter2");
    }

    @Test
    void namesEveryContainerAndVolumeWithoutANameOfItsOwn() throws Exception {
        assertThat(
                        found(
                                "spec: {containers: [{image: x}, {name: a}, {name: a}],"
                                        + " volumes: [{emptyDir: {}}]}"))
                .hasSize(3)
                .anyMatch(text -> text.startsWith("spec.podTemplate.spec.containers[0].name: "))
                .anyMatch(text -> text.startsWith("spec.podTemplate.spec.containers[2].name: 'a'"))
                .anyMatch(text -> text.startsWith("spec.podTemplate.spec.volumes[0].name: "));
    }

    @Test
    void countsContainersAndVolumesBeforeItReadsThem() throws Exception {
        String many = "{name: [x]}, ".repeat(101);

        assertThat(found("spec: {containers: [" + many + "], volumes: [" + many + "]}"))
                .containsExactly(
                        "spec.podTemplate.spec.containers: has 101 entries, of which there may be"
                                + " 100",
                        "spec.podTemplate.spec.volumes: has 101 entries, of which there may be"
                                + " 100");
    }

    @Test
    void takesWhatIsNotSaidAndWhatItDoesNotKnow() throws Exception {
        assertThat(found("{}")).isEmpty();
        assertThat(found("spec: {containers: null, somethingNew: {a: [1]}}")).isEmpty();
    }

    private static List<String> found(String template) throws Exception {
        return PodShape.check((ObjectNode) new YAMLMapper().readTree(template), "spec.podTemplate")
                .stream()
                .map(FieldProblem::text)
                .toList();
    }
}
