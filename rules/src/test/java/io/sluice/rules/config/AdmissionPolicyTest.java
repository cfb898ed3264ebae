// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.option.AdmissionOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "off, OFF, OFF",
        "false, OFF, OFF",
        "Off, OFF, OFF",
        "warn, WARN, WARN",
        "deny, DENY, RESTRICTED",
        "baseline, DENY, BASELINE",
        "restricted, DENY, RESTRICTED",
    })
    void followsTheWord(String word, AdmissionPolicy.Keys keys, AdmissionPolicy.Pods pods) {
        assertThat(AdmissionPolicy.keys(granting(word))).isEqualTo(keys);
        assertThat(AdmissionPolicy.pods(granting(word))).isEqualTo(pods);
    }

    @ParameterizedTest
    @ValueSource(strings = {"of", "none", "0", "true"})
    void aWordThatIsNotKnownIsTheStrictest(String word) {
        assertThat(AdmissionPolicy.keys(granting(word))).isEqualTo(AdmissionPolicy.Keys.DENY);
        assertThat(AdmissionPolicy.pods(granting(word))).isEqualTo(AdmissionPolicy.Pods.RESTRICTED);
    }

    @Test
    void restrictedKeysAreRefusedUnlessSomebodySaysOtherwise() {
        Options nothing = new Options(FlinkConfiguration.EMPTY);

        assertThat(AdmissionPolicy.keys(nothing)).isEqualTo(AdmissionPolicy.Keys.DENY);
        assertThat(AdmissionPolicy.pods(nothing)).isEqualTo(AdmissionPolicy.Pods.WARN);
    }

    private static Options granting(String word) {
        return new Options(
                new FlinkConfiguration(
                        Map.of(
                                AdmissionOptions.RESTRICTED_KEYS.key(), word,
                                AdmissionOptions.POD_SECURITY.key(), word)));
    }
}
