// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionRequest;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Secrets are planted wherever users have them; no answer quotes them. */
class SecretsTest {
    private static final String PLANT = "magpie4711";

    private final Admission admission = new Admission(DefaultConfiguration.NONE);

    /** A place, and how a secret gets there. */
    record Planted(String where, Consumer<ObjectNode> how) {
        @Override
        public String toString() {
            return where;
        }
    }

    static List<Planted> places() {
        return List.of(
                option("s3.secret-key", PLANT),
                option("security.ssl.rest.key-password", PLANT),
                option("env.java.opts.all", "-Ddb.password=" + PLANT),
                option("taskmanager.numberOfTaskSlots", "token=" + PLANT),
                option("kubernetes.operator.user.artifacts.http.header", "Authorization:" + PLANT),
                option("kubernetes.cluster-id", "password=" + PLANT),
                option("kubernetes.operator.savepoint.history.max.age", "secret: " + PLANT),
                option("kubernetes.operator.access-key-that-is-not", PLANT),
                new Planted(
                        "jarURI",
                        spec ->
                                ((ObjectNode) spec.get("job"))
                                        .put("jarURI", "https://me:" + PLANT + "@10.0.0.1/a.jar")),
                new Planted(
                        "savepoint",
                        spec ->
                                ((ObjectNode) spec.get("job"))
                                        .put("initialSavepointPath", "s3://k:" + PLANT + "@b/s")),
                new Planted(
                        "args",
                        spec ->
                                ((ObjectNode) spec.get("job"))
                                        .putArray("args")
                                        .add("--db.password=" + PLANT)),
                new Planted(
                        "logConfiguration",
                        spec ->
                                spec.putObject("logConfiguration")
                                        .put("log4j-console.properties", "x.password=" + PLANT)),
                new Planted("podTemplate", SecretsTest::plantInPod));
    }

    @ParameterizedTest
    @MethodSource("places")
    void isNotQuotedWhenAResourceIsCreated(Planted planted) {
        ObjectNode right = Reviews.yaml(Reviews.VALID);
        planted.how().accept((ObjectNode) right.get("spec"));
        ObjectNode wrong = Reviews.yaml(Reviews.INVALID);
        planted.how().accept((ObjectNode) wrong.get("spec"));

        assertThat(answer(Reviews.create(right))).doesNotContain(PLANT);
        assertThat(answer(Reviews.create(wrong))).contains("flinkVersion").doesNotContain(PLANT);
    }

    @ParameterizedTest
    @MethodSource("places")
    void isNotQuotedWhenItIsChanged(Planted planted) {
        ObjectNode before = Reviews.yaml(Reviews.VALID);
        ObjectNode after = before.deepCopy();
        planted.how().accept((ObjectNode) after.get("spec"));

        assertThat(answer(Reviews.update(before, after))).doesNotContain(PLANT);
        assertThat(answer(Reviews.update(after, before))).doesNotContain(PLANT);
    }

    private String answer(ObjectNode review) {
        return admission.judge(AdmissionRequest.read(review).orElseThrow()).validated().toString();
    }

    private static Planted option(String key, String value) {
        return new Planted(
                key, spec -> spec.withObjectProperty("flinkConfiguration").put(key, value));
    }

    private static void plantInPod(ObjectNode spec) {
        ObjectNode container =
                spec.putObject("podTemplate").putObject("spec").putArray("containers").addObject();
        container.put("name", "flink-main-container").put("imagePullPolicy", "token=" + PLANT);
        container.putArray("env").addObject().put("name", "DB_PASSWORD").put("value", PLANT);
        container.putObject("securityContext").put("privileged", true);
    }
}
