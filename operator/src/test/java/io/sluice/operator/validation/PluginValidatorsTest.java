// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.plugins.Plugins;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plugin of one class, in a jar, beside passes of the operator. */
class PluginValidatorsTest {
    private static final Duration TIMEOUT = Duration.ofMillis(700);

    @TempDir private Path folder;
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final AtomicReference<String> configuration = new AtomicReference<>("first");
    private final AtomicInteger checks = new AtomicInteger();
    private SpecValidators validators;

    @BeforeEach
    void load() throws IOException {
        Plugins plugins =
                Plugins.load(PluginFolder.write(folder, ImageValidator.class), _ -> Map.of());
        validators =
                new PluginValidators(
                        plugins,
                        new KubernetesSerialization(),
                        () -> new ValidationOptions(TIMEOUT, configuration.get()),
                        new Counting(checks),
                        now::get);
    }

    @Test
    void aSpecIsAcceptedOrRefusedAsItsValidatorsSay() {
        assertThat(check("tenant", "good", 1, "image:good")).isEqualTo(new Verdict.Accepted());
        assertThat(check("tenant", "bad", 1, "image:foreign"))
                .isEqualTo(
                        new Verdict.Refused(
                                List.of("plugin  spec.image: is foreign; use one of this house")));
    }

    @Test
    void aGenerationIsCheckedOnceHoweverManyPassesThereAre() {
        for (int pass = 0; pass < 5; pass++) {
            check("tenant", "good", 1, "image:good");
        }
        assertThat(checks).hasValue(1);

        check("tenant", "good", 2, "image:good");
        assertThat(checks).hasValue(2);

        configuration.set("second");
        check("tenant", "good", 2, "image:good");
        assertThat(checks).hasValue(3);
    }

    @Test
    void whatWasRefusedIsCheckedAgainAfterAPauseThatGrows() {
        check("tenant", "bad", 1, "image:foreign");
        later(9);
        check("tenant", "bad", 1, "image:foreign");
        assertThat(checks).hasValue(1);

        later(1);
        check("tenant", "bad", 1, "image:foreign");
        assertThat(checks).hasValue(2);
        later(19);
        check("tenant", "bad", 1, "image:foreign");
        assertThat(checks).hasValue(2);
        later(1);
        check("tenant", "bad", 1, "image:foreign");
        assertThat(checks).hasValue(3);
    }

    @Test
    void oneThatThrowsCanNotTell() {
        assertThat(check("tenant", "odd", 1, "image:throws"))
                .isInstanceOfSatisfying(
                        Verdict.Failed.class,
                        failed ->
                                assertThat(failed.why()).contains(ImageValidator.class.getName()));
    }

    @Test
    void oneThatNeverEndsHoldsUpItsResourceAlone() {
        assertThat(check("tenant", "endless", 1, "image:hangs")).isEqualTo(new Verdict.Pending());

        assertThat(check("tenant", "good", 1, "image:good")).isEqualTo(new Verdict.Accepted());
        await().untilAsserted(
                        () ->
                                assertThat(check("tenant", "endless", 1, "image:hangs"))
                                        .isInstanceOfSatisfying(
                                                Verdict.Failed.class,
                                                failed ->
                                                        assertThat(failed.why())
                                                                .contains(
                                                                        ImageValidator.class
                                                                                .getName())
                                                                .contains("within 700 ms")
                                                                .contains(
                                                                        "kubernetes.operator.validation.timeout")));
        later(600);
        assertThat(check("tenant", "endless", 2, "image:good"))
                .as("its thread is still taken")
                .isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void aNamespaceWhoseChecksAllHangHoldsUpNoOther() {
        for (int i = 0; i < 8; i++) {
            check("greedy", "endless-" + i, 1, "image:hangs");
        }
        assertThat(check("greedy", "good", 1, "image:good")).isEqualTo(new Verdict.Pending());
        later(1);

        assertThat(check("greedy", "good", 1, "image:good")).isInstanceOf(Verdict.Failed.class);
        assertThat(check("modest", "good", 1, "image:good")).isEqualTo(new Verdict.Accepted());
    }

    @Test
    void deletionIsNotHeldUp() {
        FlinkDeployment going = resource("tenant", "bad", 1);
        going.getMetadata().setDeletionTimestamp("2026-03-01T12:00:00Z");

        assertThat(validators.of(going, spec("image:foreign"))).isEqualTo(new Verdict.Accepted());
    }

    private void later(int seconds) {
        now.updateAndGet(before -> before.plusSeconds(seconds));
    }

    private Verdict check(String namespace, String name, long generation, String image) {
        return validators.of(resource(namespace, name, generation), spec(image));
    }

    private static FlinkDeployment resource(String namespace, String name, long generation) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .withUid(namespace + "-" + name)
                        .withGeneration(generation)
                        .build());
        return resource;
    }

    private static ObjectNode spec(String image) {
        return JsonNodeFactory.instance.objectNode().put("image", image);
    }

    /** A reconciliation waits once for each check. */
    private record Counting(AtomicInteger checks) implements Waiting {
        @Override
        public <T> T during(Supplier<T> wait) {
            checks.incrementAndGet();
            return wait.get();
        }
    }
}
