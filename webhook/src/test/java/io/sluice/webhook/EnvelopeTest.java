// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.config.DefaultConfiguration;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    private static final String REVIEW = Reviews.create(Reviews.yaml(Reviews.VALID)).toString();

    @Test
    void theSameUnderAnotherUidIsTheSame() {
        assertThat(content(asked("one"))).isPresent().isEqualTo(content(asked("two")));
        assertThat(content(asked("one"))).isEqualTo(content(asked("a-longer-one")));
    }

    @Test
    void anythingElseIsAnother() {
        assertThat(content(asked("one")))
                .isNotEqualTo(content(asked("one").replace("orders", "0rders")))
                .isNotEqualTo(content(asked("one") + " "))
                .isNotEqualTo(content(" " + asked("one")));
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

    private static Optional<ByteBuffer> content(String body) {
        return of(body).map(Envelope::content);
    }

    private static String named(String name) {
        return asked("one").replaceFirst("\"name\":\"[a-z]+\"", "\"name\":\"" + name + "\"");
    }

    private static String asked(String uid) {
        return REVIEW.replaceFirst("\"uid\":\"[^\"]+\"", "\"uid\":\"" + uid + "\"");
    }
}
