// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

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
        OptionType.KNOWN
                .keySet()
                .forEach(key -> assertThat(KnownOptions.meantBy(key)).as(key).isEmpty());
    }

    @Test
    void takesNoOptionOfOldFlinksForDeprecated() {
        assertThat(KnownOptions.replacement("env.java.opts")).contains("env.java.opts.all");
        assertThat(KnownOptions.replacement("env.java.opts.all")).isEmpty();
    }
}
