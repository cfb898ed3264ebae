// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpecSizeTest {
    private static final JsonNodeFactory NEW = JsonNodeFactory.instance;

    /** What the status adds to the spec itself. */
    private static final int ENVELOPE = 200;

    @Test
    void isNeverLessThanWhatTheStatusKeepsAndHardlyMore() {
        for (int seed = 0; seed < 200; seed++) {
            var dice = new Random(seed);
            ObjectNode spec = NEW.objectNode();
            int fields = 1 + dice.nextInt(20);
            for (int i = 0; i < fields; i++) {
                spec.put("field" + i, text(dice));
                spec.putArray("list" + i).add(text(dice)).add(dice.nextInt()).addObject();
            }

            int stored =
                    NEW.textNode(new ReconciledSpec(spec, false).encode())
                            .toString()
                            .getBytes(UTF_8)
                            .length;

            assertThat(SpecSize.of(spec, "spec").bytes())
                    .as("seed %d", seed)
                    .isBetween((long) stored - ENVELOPE, (long) stored + 4L * fields);
        }
    }

    @Test
    void namesTheLargestFieldAndTheLimit() {
        ObjectNode resource = NEW.objectNode();
        ObjectNode spec = resource.putObject("spec");
        spec.putObject("flinkConfiguration").put("env.java.opts.all", "x".repeat(1024));
        spec.putObject("podTemplate").put("note", "x".repeat(500 * 1024));

        assertThat(problems(ResourceKind.FLINK_DEPLOYMENT, resource))
                .anySatisfy(
                        problem ->
                                assertThat(problem)
                                        .startsWith("spec-size  spec.podTemplate: ")
                                        .contains("a spec of 502 KiB", "at most 400 KiB"));
    }

    @Test
    void namesTheFieldThatHasMostOfTooManyValues() {
        ObjectNode resource = NEW.objectNode();
        ObjectNode options = resource.putObject("spec").putObject("flinkConfiguration");
        resource.withObject("/spec/job").put("jarURI", "x".repeat(100_000));
        for (int i = 0; i < 1500; i++) {
            options.put("some.option-" + i, i);
        }

        assertThat(problems(ResourceKind.FLINK_DEPLOYMENT, resource))
                .anySatisfy(
                        problem ->
                                assertThat(problem)
                                        .startsWith("spec-size  spec.flinkConfiguration: has most")
                                        .contains("of 3007 names and values", "may be 3000"));
    }

    @Test
    void namesTheFieldOfATemplateOfAPair() {
        ObjectNode resource = NEW.objectNode();
        resource.putObject("spec")
                .putObject("template")
                .putObject("spec")
                .putObject("podTemplate")
                .put("note", "x".repeat(500 * 1024));

        assertThat(problems(ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT, resource))
                .anySatisfy(
                        problem ->
                                assertThat(problem)
                                        .contains("spec.template.spec.podTemplate", "spec-size"));
    }

    private static List<String> problems(ResourceKind kind, ObjectNode resource) {
        return new Reviewer(DefaultConfiguration.NONE)
                        .review(
                                new ReviewRequest(kind, "default", "orders", resource),
                                Lookup.NOTHING)
                        .problems()
                        .stream()
                        .map(Violation::text)
                        .toList();
    }

    private static String text(Random dice) {
        return dice.ints(dice.nextInt(50), 0, 0x3000)
                .mapToObj(each -> String.valueOf((char) (each % 3 == 0 ? each % 0x80 : each)))
                .filter(each -> !"<>&".contains(each))
                .reduce("", String::concat);
    }
}
