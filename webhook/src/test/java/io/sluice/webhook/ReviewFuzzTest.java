// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionAnswer;
import io.sluice.webhook.admission.AdmissionRequest;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.ReviewReader;
import io.sluice.webhook.admission.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Reviews nobody would write. Each is read, decided and answered without a fault, and as the rules
 * decide it when the operator asks them. The seed of a case that fails is in the message; {@code
 * -Dfuzz.cases} says how many there are, {@code -Dfuzz.seed} which is the first.
 */
public class ReviewFuzzTest {
    private static final int CASES = Integer.getInteger("fuzz.cases", 20_000);
    private static final long SEED = Long.getLong("fuzz.seed", 1);

    /** What two reviews of one body and their four answers may allocate together. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> KINDS = List.copyOf(ResourceKind.WORDS.keySet());

    private final Admission admission = new Admission(DefaultConfiguration.NONE);
    private final Reviewer reviewer = new Reviewer(DefaultConfiguration.NONE);

    @Test
    void noBodyOfWhateverBytesIsAFault() {
        Costs costs = new Costs();
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            var mutation = new Mutation(new Random(seed));
            byte[] body = mutation.bytes(review(mutation).toString().getBytes(UTF_8));
            assertThatCode(() -> costs.of(() -> answer(body), body.length))
                    .as("seed %d", seed)
                    .doesNotThrowAnyException();
            assertThat(costs.lastBytes())
                    .as("seed %d: of a body of %d bytes", seed, body.length)
                    .isLessThan(MOST_BYTES);
        }
        System.out.println(costs.text());
    }

    @Test
    void theVerdictIsThatOfTheRules() throws Exception {
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            ObjectNode review = review(new Mutation(new Random(seed)));
            AdmissionRequest request =
                    ReviewReader.read(review.toString().getBytes(UTF_8)).orElseThrow();
            if (admission.judge(request).validated() instanceof Verdict.Refused refused) {
                assertThat(refused.violations())
                        .as("seed %d", seed)
                        .isEqualTo(asTheOperatorAsks(review).problems());
            } else {
                assertThat(asTheOperatorAsks(review).problems()).as("seed %d", seed).isEmpty();
            }
        }
    }

    /** Twice, as the API server does. */
    private void answer(byte[] body) {
        Optional<AdmissionVerdict> judged = admission.judge(body);
        judged.ifPresent(
                judgement -> {
                    assertThat(text(judgement, judgement.validated()))
                            .doesNotContain("Exception", "\\tat ", "io.sluice");
                    assertThat(text(judgement, judgement.mutated()))
                            .doesNotContain("Exception", "\\tat ", "io.sluice");
                });
        assertThat(said(admission.judge(body.clone()))).isEqualTo(said(judged));
    }

    /** From memory or not. */
    private static Optional<AdmissionVerdict> said(Optional<AdmissionVerdict> judged) {
        return judged.map(each -> each.askedAs(each.request().uid()));
    }

    private static String text(AdmissionVerdict judgement, Verdict verdict) {
        return AdmissionAnswer.of(judgement.request(), verdict).toString();
    }

    /** Read from its bytes, as whatever comes from the API server is. */
    private Findings asTheOperatorAsks(ObjectNode review) throws Exception {
        ObjectNode resource =
                (ObjectNode) JSON.readTree(review.toString().getBytes(UTF_8)).at("/request/object");
        var kind =
                Optional.ofNullable(
                                ResourceKind.WORDS.get(review.at("/request/kind/kind").asText()))
                        .orElseThrow();
        return reviewer.review(
                new ReviewRequest(
                        kind,
                        resource.at("/metadata/namespace").asText("default"),
                        resource.at("/metadata/name").asText("orders"),
                        resource),
                Lookup.NOTHING);
    }

    /** A creation, so that nothing but the resource itself decides. */
    public static ObjectNode review(Mutation mutation) {
        ObjectNode resource = Reviews.yaml(mutation.oneOf(List.of(Reviews.VALID, Reviews.INVALID)));
        resource.put("kind", mutation.oneOf(KINDS));
        ObjectNode spec = (ObjectNode) resource.get("spec");
        resource.set("spec", mutation.of(spec));
        ObjectNode review = Reviews.create(resource);
        ((ObjectNode) review.get("request")).put("name", "orders").put("namespace", "default");
        return review;
    }
}
