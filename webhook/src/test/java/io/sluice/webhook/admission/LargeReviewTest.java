// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import io.sluice.webhook.Reviews;
import io.sluice.webhook.admission.LargeReview.Answered;
import io.sluice.webhook.admission.LargeReview.Reviewable;
import io.sluice.webhook.admission.LargeReview.Unanswerable;
import org.junit.jupiter.api.Test;

class LargeReviewTest {
    private static final int SOME = SpecSize.MOST_VALUES / 4;

    @Test
    void namesTheFieldThatIsNestedTooDeep() {
        ObjectNode resource = Reviews.nestedBelow("/spec/podTemplate/spec");

        assertThat(refusal(Reviews.create(resource)).text())
                .isEqualTo(
                        "spec.podTemplate.spec.a: is nested deeper than 200 levels; leave the"
                                + " innermost ones out");
    }

    @Test
    void namesTheFieldThatHasMostOfTooManyValues() {
        ObjectNode resource = Reviews.withOptions(2 * SOME);
        resource.withObject("/spec/job").withArray("args").add("a").add("b");

        assertThat(refusal(Reviews.create(resource)))
                .satisfies(
                        problem -> {
                            assertThat(problem.path()).isEqualTo("spec.flinkConfiguration");
                            assertThat(problem.message())
                                    .startsWith("has most of ")
                                    .contains("names and values, of which there may be 3000");
                        });
    }

    @Test
    void doesNotCountWhoOwnsWhichField() {
        ObjectNode resource = Reviews.withOptions(SOME);
        owners(resource, 4 * SOME);

        assertThat(find(Reviews.create(resource))).isInstanceOf(Reviewable.class);
    }

    @Test
    void letsWhatCouldBeCreatedBeUpdated() {
        ObjectNode resource = Reviews.withOptions(2 * SOME - 100);
        owners(resource, 4 * SOME);

        assertThat(find(Reviews.create(resource))).isInstanceOf(Reviewable.class);
        assertThat(find(Reviews.update(resource, resource.deepCopy())))
                .isInstanceOf(Reviewable.class);
    }

    @Test
    void doesNotCompareWithOneThatIsTooLargeToBeRead() {
        ObjectNode stored = Reviews.withOptions(BodyParts.MOST / 2);

        assertThat(refusal(Reviews.update(stored, Reviews.withOptions(SOME))).text())
                .startsWith("spec: replaces one of 50")
                .endsWith("delete the resource, and create it anew");
    }

    @Test
    void letsWhatIsBeingDeletedGo() {
        ObjectNode resource = Reviews.withOptions(3 * SOME);
        resource.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");

        assertThat(find(Reviews.update(resource, resource.deepCopy())))
                .isInstanceOfSatisfying(
                        Answered.class,
                        answered ->
                                assertThat(answered.judgement().validated())
                                        .isInstanceOf(Verdict.Allowed.class));
    }

    @Test
    void isNotMisledByBodiesThatNoApiServerSends() {
        String many = "[" + "{},".repeat(4 * SOME) + "{}]";
        for (String body :
                new String[] {
                    "{\"request\":{\"object\":{\"spec\":" + many + "}}}",
                    "{\"kind\":" + many + "}",
                    many,
                    "{\"request\":" + many + "}",
                    "{\"request\":{\"object\":{\"spec\":" + many
                }) {
            assertThat(LargeReview.find(body.getBytes(UTF_8)))
                    .as(body.substring(0, 30))
                    .isInstanceOf(Unanswerable.class);
        }
    }

    /** What is read of the rest of a review is no more than a few texts. */
    @Test
    void whatItDoesNotCountIsNotRead() {
        ObjectNode review = Reviews.create(Reviews.yaml(Reviews.VALID));
        var before = ReviewReader.read(review.toString().getBytes(UTF_8)).orElseThrow();
        ObjectNode request = (ObjectNode) review.get("request");
        request.putArray("more").addObject();
        request.withObject("/kind").putArray("more").addObject();
        request.putArray("oldObject").addObject();
        request.putArray("options").addObject();

        assertThat(ReviewReader.read(review.toString().getBytes(UTF_8))).contains(before);
    }

    private static void owners(ObjectNode resource, int many) {
        ObjectNode fields = resource.withObject("/metadata").putArray("managedFields").addObject();
        for (int i = 0; i < many; i++) {
            fields.putObject("f:option-" + i);
        }
    }

    private static FieldProblem refusal(JsonNode review) {
        assertThat(find(review)).isInstanceOf(Answered.class);
        var answered = (Answered) find(review);
        assertThat(answered.judgement().validated()).isInstanceOf(Verdict.Refused.class);
        Violation violation =
                ((Verdict.Refused) answered.judgement().validated()).violations().getFirst();
        assertThat(violation.rule()).isEqualTo("spec-size");
        return violation.problem();
    }

    private static LargeReview.Finding find(JsonNode review) {
        return LargeReview.find(review.toString().getBytes(UTF_8));
    }
}
