// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReviewTest {
    @ParameterizedTest
    @CsvSource({
        "kubernetes.operator.reconcile.interval, often",
        "kubernetes.operator.ingress.manage, perhaps",
        "kubernetes.operator.retry.interval.multiplier, twice",
        "kubernetes.operator.periodic.savepoint.interval, each night",
        "kubernetes.operator.reconciler.reschedule.interval, often",
        "taskmanager.numberOfTaskSlots, many",
        "kubernetes.operator.default-configuration.namespace.shop.kubernetes.operator.reconcile.interval, often",
        "kubernetes.operator.default-configuration.flink-version.v1_20+.taskmanager.numberOfTaskSlots, many",
        "kubernetes.operator.default-configuration.flink-version.v9_9.parallelism.default, 1",
        "kubernetes.operator.default-configuration.namspace.shop.parallelism.default, 1",
        "kubernetes.operator.default-configuration.namespace.shop, 1",
    })
    void refusesWhatIsNotOfItsType(String key, String value) {
        var review = review(key, value);

        assertThat(review.errors()).singleElement().asString().startsWith(key + ": ");
    }

    @ParameterizedTest
    @CsvSource({
        "admission.pod-security, privileged, 'restricted, baseline, warn, off, false'",
        "admission.restricted-keys, no, 'deny, warn, off, false'",
        "checkpoint.type, SOMETIMES, 'FULL, INCREMENTAL'",
        "savepoint.format.type, BINARY, 'CANONICAL, NATIVE'",
        "resource.deletion.propagation, ORPHAN, 'FOREGROUND, BACKGROUND'",
        "log.level, LOUD, 'ALL, TRACE, DEBUG, INFO, WARN, ERROR, OFF'",
        "log.format, xml, 'json, text'",
    })
    void refusesAWordThatIsNoneOfThoseThereAre(String name, String value, String words) {
        String key = "kubernetes.operator." + name;

        assertThat(review(key, value).errors())
                .containsExactly(key + ": '" + value + "' must be one of " + words);
    }

    @ParameterizedTest
    @CsvSource({
        "admission.pod-security, Restricted",
        "admission.pod-security, false",
        "admission.restricted-keys, OFF",
        "checkpoint.type, incremental",
        "savepoint.format.type, native",
        "resource.deletion.propagation, Background",
        "log.level, ' debug '",
        "log.format, TEXT",
        "log.format, ''",
    })
    void takesAWordInAnyCase(String name, String value) {
        assertThat(review("kubernetes.operator." + name, value).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memory.gc-pressure.threshold",
                "memory.heap-usage.threshold",
                "memory.tuning.overhead",
                "observed-scalability.coefficient-min",
                "observed-true-processing-rate.switch-threshold",
                "scale-down.max-factor",
                "scale-up.max-factor",
                "scaling.effectiveness.threshold",
                "target.utilization",
                "target.utilization.boundary",
                "utilization.max",
                "utilization.min",
                "utilization.target",
            })
    void refusesANumberOfTheAutoscalersThatIsNone(String name) {
        for (String prefix : List.of("job.autoscaler.", "kubernetes.operator.job.autoscaler.")) {
            assertThat(review(prefix + name, "abc").errors())
                    .containsExactly(prefix + name + ": 'abc' is not a number; write it like 1.5");
            assertThat(review(prefix + name, "0.7").errors()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes.operator.reconcile.intervall, did you mean kubernetes.operator.reconcile.interval?",
        "kubernetes.operator.default-configuration.namespace.shop.taskmanager.numberOfTaskSlotz, did you mean taskmanager.numberOfTaskSlots?",
        "kubernetes.operator.what.is.this, is unknown and has no effect",
        "kubernetes.operator.exception.stacktrace.enabled, Stack traces are in the log.",
        "kubernetes.operator.plugins.listeners.mine.class, loaded from its folder",
        "kubernetes.operator.job.autoscaler.what.is.this, is unknown and has no effect",
        "job.autoscaler.scaling.custom-executors, Plugins of the autoscaler are not loaded.",
        "kubernetes.operator.metrics.reporter.slf4j.factory.class, has no effect in this version",
        "kubernetes.operator.metrics.reporter.slf4j.interval, has no effect in this version",
        "kubernetes.operator.metrics.reporters, has no effect in this version",
        "kubernetes.operator.metrics.histogram.sample.sise, has no effect in this version",
        "kubernetes.operator.reconciler.reschedule.interval, older spelling of kubernetes.operator.reconcile.interval",
    })
    void warnsOfWhatDoesNothingOrIsMeantDifferently(String key, String told) {
        var review = review(key, key.contains("interval") ? "1 s" : "true");

        assertThat(review.errors()).isEmpty();
        assertThat(review.warnings()).singleElement().asString().startsWith(key).contains(told);
    }

    @ParameterizedTest
    @CsvSource({
        "exception.stacktrace.enabled, false",
        "health.probe.enabled, true",
        "pod-template.merge-arrays-by-name, TRUE",
        "pod-template.merge-arrays-by-name, ' true '",
    })
    void saysNothingOfAValueThatAsksForWhatHappensAnyway(String name, String value) {
        assertThat(review("kubernetes.operator." + name, value).warnings()).isEmpty();
    }

    @Test
    void hasNothingToSayOfPluginsKeys() {
        var review = review("metrics.reporter.mine.factory.class", "a.B");

        assertThat(review.errors()).isEmpty();
        assertThat(review.warnings()).isEmpty();
    }

    @Test
    void showsNoSecret() {
        var review = review("kubernetes.operator.user.artifacts.http.header", "a:hunter2");

        assertThat(review.toString()).doesNotContain("hunter2");
    }

    @Test
    void tellsConfigurationsApartByTheirFingerprint() {
        var one = configuration("a.b", "c");

        assertThat(one.fingerprint())
                .hasSize(12)
                .isEqualTo(configuration("a.b", "c").fingerprint());
        assertThat(one.fingerprint()).isNotEqualTo(configuration("a.bc", "").fingerprint());
    }

    private static ConfigurationReview review(String key, String value) {
        return ConfigurationReview.of(configuration(key, value));
    }

    private static DefaultConfiguration configuration(String key, String value) {
        return new DefaultConfiguration(new FlinkConfiguration(Map.of(key, value)));
    }
}
