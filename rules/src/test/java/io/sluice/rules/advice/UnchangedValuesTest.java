// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.Warning;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class UnchangedValuesTest {
    private static final Warning OPTION =
            new Warning("unknown-config-key", "spec.flinkConfiguration[a.b]", "is unknown");
    private static final Warning UNIT =
            new Warning("ambiguous-unit", "spec.taskManager.resource.memory", "has two readings");
    private static final Warning EFFECT = new Warning("edit-effect", "spec", "restarts the job");
    private static final List<Warning> ALL = List.of(EFFECT, OPTION, UNIT);

    @Test
    void aWarningIsNotRepeatedWhenSomethingElseIsEdited() {
        ObjectNode now = changed(spec -> spec.put("image", "other"));

        assertThat(UnchangedValues.leaveOut(ALL, resource(), now)).containsExactly(EFFECT);
    }

    @Test
    void aValueThatChangesIsToldOfAgain() {
        ObjectNode now =
                changed(
                        spec -> {
                            spec.withObject("/flinkConfiguration").put("a.b", "2");
                            spec.withObject("/taskManager/resource").put("memory", "4G");
                        });

        assertThat(UnchangedValues.leaveOut(ALL, resource(), now)).isEqualTo(ALL);
    }

    @Test
    void aValueThatIsAddedIsToldOf() {
        ObjectNode before = JsonNodeFactory.instance.objectNode();
        before.putObject("spec").put("image", "flink");

        assertThat(UnchangedValues.leaveOut(ALL, before, resource())).isEqualTo(ALL);
    }

    @Test
    void aNestedSpellingOfTheSameValueIsNoChange() {
        ObjectNode now =
                changed(spec -> spec.putObject("flinkConfiguration").putObject("a").put("b", "1"));

        assertThat(UnchangedValues.leaveOut(List.of(OPTION), resource(), now)).isEmpty();
    }

    @Test
    void theTemplateOfAPairIsComparedLikeASpec() {
        ObjectNode pair = JsonNodeFactory.instance.objectNode();
        pair.putObject("spec").putObject("template").set("spec", resource().get("spec"));
        Warning warning =
                new Warning(
                        OPTION.id(), "spec.template.spec.flinkConfiguration[a.b]", "is unknown");

        assertThat(UnchangedValues.leaveOut(List.of(warning), pair, pair)).isEmpty();
        assertThat(UnchangedValues.leaveOut(List.of(warning), resource(), pair))
                .containsExactly(warning);
    }

    @Test
    void everyWarningThatIsNotRepeatedExists() {
        assertThat(Advice.ALL.stream().map(Rule::id)).containsAll(UnchangedValues.OF_ONE_VALUE);
    }

    private static ObjectNode resource() {
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        ObjectNode spec = resource.putObject("spec").put("image", "flink");
        spec.putObject("flinkConfiguration").put("a.b", "1");
        spec.putObject("taskManager").putObject("resource").put("memory", "2G");
        return resource;
    }

    private static ObjectNode changed(Consumer<ObjectNode> change) {
        ObjectNode resource = resource();
        change.accept((ObjectNode) resource.get("spec"));
        return resource;
    }
}
