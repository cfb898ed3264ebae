// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.Reviews;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    private static final String REVIEW = Reviews.create(Reviews.yaml(Reviews.VALID)).toString();

    @Test
    void theSameUnderAnotherUidIsTheSame() {
        assertThat(isSame(asked("one"), asked("two"))).isTrue();
        assertThat(isSame(asked("one"), asked("a-longer-one"))).isTrue();
    }

    @Test
    void theSameUnderAnotherGenerationIsTheSame() {
        assertThat(isSame(generation("9", "7"), generation("10", "7"))).isTrue();
    }

    @Test
    void onlyTheGenerationOfTheNewObjectIsLeftOut() {
        assertThat(isSame(generation("9", "7"), generation("9", "8"))).isFalse();
        assertThat(isSame(generation("9", "7"), generation("null", "7"))).isFalse();
        assertThat(isSame(generation("9", "7"), generation("\"9\"", "7"))).isFalse();
        assertThat(isSame(generation("9", "7"), generation("9", "7").replace("1.20", "2.0")))
                .isFalse();
    }

    @Test
    void noJudgementDependsOnTheGenerationOfTheNewObject() {
        var read = ReviewReader.read(generation("9", "7").getBytes(UTF_8));

        assertThat(read).isEqualTo(ReviewReader.read(generation("10", "7").getBytes(UTF_8)));
    }

    @Test
    void anythingElseIsAnother() {
        assertThat(isSame(asked("one"), asked("one").replace("orders", "0rders"))).isFalse();
        assertThat(isSame(asked("one"), asked("one") + " ")).isFalse();
        assertThat(isSame(asked("one"), " " + asked("one"))).isFalse();
    }

    @Test
    void whatOnlyHasTheSameChecksumIsAnother() {
        var one = of(asked("one")).orElseThrow();
        var other = asked("one").replace("orders", "0rders").getBytes(UTF_8);

        assertThat(one.isIn(other)).isFalse();
    }

    @Test
    void aPlaceIsUsedAgainByALongerOneAndAShorterOne() {
        var judgement = new Admission(DefaultConfiguration.NONE).judge(REVIEW.getBytes(UTF_8));
        var recent = new Recent(1);
        for (String name : new String[] {"orders", "orders-of-another-name", "o"}) {
            var envelope = of(named(name)).orElseThrow();
            recent.keep(envelope, judgement.orElseThrow());
            assertThat(recent.find(envelope)).isPresent();
        }
        assertThat(recent.find(of(named("orders")).orElseThrow())).isEmpty();
    }

    @Test
    void aVeryLongOneIsNotKept() {
        var judgement = new Admission(DefaultConfiguration.NONE).judge(REVIEW.getBytes(UTF_8));
        var recent = new Recent(1);
        var envelope = of(asked("one") + " ".repeat(Recent.LONGEST)).orElseThrow();

        recent.keep(envelope, judgement.orElseThrow());

        assertThat(recent.find(envelope)).isEmpty();
    }

    @Test
    void whatDoesNotNameItsUidFirstIsNotRecognised() {
        assertThat(of("{\"request\":{\"name\":\"orders\",\"uid\":\"one\"}}")).isEmpty();
        assertThat(of("{\"extra\":[],\"request\":{\"uid\":\"one\"}}")).isEmpty();
        assertThat(of("{\"request\":{\"uid\":\"o\\u006ee\"}}")).isEmpty();
        assertThat(of("{\"request\":{\"uid\":7}}")).isEmpty();
        assertThat(of("[1]")).isEmpty();
        assertThat(of("nothing")).isEmpty();
    }

    @Test
    void theSecondAnswerIsTheFirstUnderTheNewUid() {
        var admission = new Admission(DefaultConfiguration.NONE);

        var first = admission.judge(asked("one").getBytes(UTF_8)).orElseThrow();
        var second = admission.judge(asked("two").getBytes(UTF_8)).orElseThrow();

        assertThat(second).isEqualTo(first.askedAs("two"));
        assertThat(second.validated()).isSameAs(first.validated());
    }

    @Test
    void theOldestIsForgottenFirst() {
        var judgement = new Admission(DefaultConfiguration.NONE).judge(REVIEW.getBytes(UTF_8));
        var recent = new Recent(2);
        for (String name : new String[] {"first", "other", "third"}) {
            recent.keep(of(named(name)).orElseThrow(), judgement.orElseThrow());
        }

        assertThat(recent.find(of(named("first")).orElseThrow())).isEmpty();
        assertThat(recent.find(of(named("other")).orElseThrow())).isPresent();
        assertThat(recent.find(of(named("third")).orElseThrow())).isPresent();
    }

    private static Optional<Envelope> of(String body) {
        return Envelope.of(body.getBytes(UTF_8));
    }

    private static boolean isSame(String one, String other) {
        var judgement = new Admission(DefaultConfiguration.NONE).judge(REVIEW.getBytes(UTF_8));
        var recent = new Recent(1);
        recent.keep(of(one).orElseThrow(), judgement.orElseThrow());
        return recent.find(of(other).orElseThrow()).isPresent();
    }

    /** An update as the API server writes it: objects have their fields in order. */
    private static String generation(String now, String before) {
        String object =
                """
                {"apiVersion":"flink.apache.org/v1beta1","kind":"FlinkDeployment",\
                "metadata":{"annotations":{"generation":"1"},"generation":%s,"name":"orders"},\
                "spec":{"image":"flink:1.20"}}""";
        return """
               {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",\
               "request":{"uid":"one","kind":{"group":"flink.apache.org","kind":"FlinkDeployment"},\
               "operation":"UPDATE","userInfo":{"groups":["generation"]},\
               "object":%s,"oldObject":%s}}"""
                .formatted(object.formatted(now), object.formatted(before));
    }

    private static String named(String name) {
        return asked("one").replaceFirst("\"name\":\"[a-z]+\"", "\"name\":\"" + name + "\"");
    }

    private static String asked(String uid) {
        return REVIEW.replaceFirst("\"uid\":\"[^\"]+\"", "\"uid\":\"" + uid + "\"");
    }
}
