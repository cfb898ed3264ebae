// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.config.option.CheckedOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "kitten, sitting, 5, 3",
        "kitten, sitting, 2, 3",
        "same, same, 2, 0",
        "ab, ba, 2, 2",
        "abc, ab, 2, 1",
        "ab, abc, 2, 1",
        "abcdef, bcdefg, 2, 2",
        "abc, abcdef, 2, 3",
        "'', ab, 2, 2",
    })
    void countsEdits(String one, String other, int limit, int edits) {
        assertThat(EditDistance.between(one, other, limit)).isEqualTo(edits);
    }

    @Test
    void findsWhatWasMeant() {
        assertThat(KnownOptions.meantBy("execution.checkpointing.intervall"))
                .contains("execution.checkpointing.interval");
        assertThat(KnownOptions.meantBy("execution.checkpointing.interval")).isEmpty();
        assertThat(KnownOptions.meantBy("job.autoscaler.governor.unrset"))
                .contains("job.autoscaler.governor.unrest");
        assertThat(KnownOptions.meantBy("something.else.altogether")).isEmpty();
    }

    @Test
    void takesNoKnownOptionForASlip() {
        CheckedOptions.TYPES
                .keySet()
                .forEach(key -> assertThat(KnownOptions.meantBy(key)).as(key).isEmpty());
    }

    @Test
    void knowsTheOperatorsOptionsAndWhichOfThemAreItsAlone() {
        assertThat(KnownOptions.meantBy("kubernetes.operator.reconcile.intervall"))
                .contains("kubernetes.operator.reconcile.interval");
        assertThat(KnownOptions.isOperatorOnly("kubernetes.operator.reconcile.interval")).isTrue();
        assertThat(KnownOptions.isOperatorOnly("kubernetes.operator.job.restart.failed")).isFalse();
        assertThat(KnownOptions.isOperatorOnly("rest.port")).isFalse();
    }

    @Test
    void takesNoOptionOfOldFlinksForDeprecated() {
        assertThat(KnownOptions.replacement("env.java.opts")).contains("env.java.opts.all");
        assertThat(KnownOptions.replacement("env.java.opts.all")).isEmpty();
    }
}
