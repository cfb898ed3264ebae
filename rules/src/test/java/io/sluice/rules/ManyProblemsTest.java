// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever writes a spec does not choose how many problems are kept in memory. */
class ManyProblemsTest {
    private static final int MANY = 5_000;

    private final ObjectNode resource = JsonNodeFactory.instance.objectNode();
    private final ObjectNode spec = resource.putObject("spec");

    @Test
    void ofManyFieldsOfTheWrongTypeTheFirstAreTold() {
        var arguments = spec.putObject("job").putArray("args");
        for (int i = 0; i < MANY; i++) {
            arguments.add(i);
        }

        assertThat(problems()).hasSizeBetween(Fields.MOST_PROBLEMS, Fields.MOST_PROBLEMS + 1);
    }

    @Test
    void ofManyViolationsOfARuleTheFirstAreToldAndThatThereAreMore() {
        var pod = spec.putObject("podTemplate").putObject("spec");
        for (String list : List.of("containers", "initContainers", "volumes")) {
            var unnamed = pod.putArray(list);
            for (int i = 0; i < Fields.MOST_PROBLEMS; i++) {
                unnamed.addObject();
            }
        }

        List<Violation> problems = problems();

        assertThat(problems).hasSize(Fields.MOST_PROBLEMS + 1);
        assertThat(problems.getLast().text()).contains("there may be more");
    }

    private List<Violation> problems() {
        return new Reviewer(DefaultConfiguration.NONE)
                .review(
                        new ReviewRequest(
                                ResourceKind.FLINK_DEPLOYMENT, "default", "orders", resource),
                        Lookup.NOTHING)
                .problems();
    }
}
