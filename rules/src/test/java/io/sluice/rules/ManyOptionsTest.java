// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.advice.ConfigurationAdvice;
import io.sluice.rules.advice.KeyFacts;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManyOptionsTest {
    private static final int MANY = 15_000;

    private final ObjectNode resource = JsonNodeFactory.instance.objectNode();
    private final ObjectNode options = resource.putObject("spec").putObject("flinkConfiguration");

    @Test
    void looksForWhatWasMeantByAFewOfThousandsOfUnknownKeys() {
        for (int i = 0; i < MANY; i++) {
            options.put("kubernetes.operator.unheard-of-" + i, "x");
        }
        List<String> lookedFor = new ArrayList<>();

        ConfigurationAdvice.unknown(
                review(),
                key -> {
                    lookedFor.add(key);
                    return Optional.empty();
                });

        assertThat(lookedFor).hasSize(ConfigurationAdvice.MOST_GUESSES);
    }

    @Test
    void aSlipAmongKnownKeysIsFoundWhateverTheirNumber() {
        for (int i = 0; i < MANY; i++) {
            options.put("env.variable-" + i, "x");
        }
        options.put("taskmanager.numberOfTaskSlot", "2");

        assertThat(warnings())
                .singleElement()
                .satisfies(
                        warning ->
                                assertThat(warning.message())
                                        .contains("taskmanager.numberOfTaskSlots"));
    }

    @Test
    void keepsNothingOfAKeyThatIsLong() {
        String key = "secret-" + "x".repeat(10_000);

        assertThat(KeyFacts.of(key)).isNotSameAs(KeyFacts.of(key));
        assertThat(KeyFacts.of(key).secret()).isTrue();
    }

    private JobReview review() {
        return DeploymentReview.read(request(), DefaultConfiguration.NONE).value().jobReview();
    }

    private List<Warning> warnings() {
        return new Reviewer(DefaultConfiguration.NONE)
                .review(request(), Lookup.NOTHING).warnings().stream()
                        .filter(warning -> warning.id().equals("unknown-config-key"))
                        .toList();
    }

    private ReviewRequest request() {
        return new ReviewRequest(ResourceKind.FLINK_DEPLOYMENT, "default", "orders", resource);
    }
}
