// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenPackagesTest {
    private static final String UTIL = "--add-opens=java.base/java.util=ALL-UNNAMED";
    private static final String DEFAULTS = "env.java.default-opts.all";

    @Test
    void areOpenedBeforeWhatTheUserAddsOfHisOwn() {
        assertThat(with(FlinkVersion.V1_20, Map.of("env.java.opts.all", "-Da=b")))
                .containsEntry("env.java.opts.all", "-Da=b")
                .hasEntrySatisfying(DEFAULTS, text -> assertThat(text.split(" ")).contains(UTIL));
    }

    @Test
    void areAddedToAUsersListAsFarAsTheyAreMissing() {
        String theirs = "-Dx=y  " + UTIL;

        String all = with(FlinkVersion.V2_0, Map.of(DEFAULTS, theirs)).get(DEFAULTS);

        assertThat(all).endsWith(theirs).containsOnlyOnce(UTIL);
        assertThat(all.split("\\s+"))
                .contains("--add-exports=java.base/sun.net.util=ALL-UNNAMED", "-Dx=y")
                .doesNotHaveDuplicates();
    }

    @Test
    void staysAsItIsIfNothingIsMissing() {
        Map<String, String> once = with(FlinkVersion.V1_19, Map.of());

        assertThat(with(FlinkVersion.V1_19, once)).isEqualTo(once);
    }

    @Test
    void goToTheOnlyOptionThereIsBeforeVersion119() {
        assertThat(with(FlinkVersion.V1_18, Map.of("env.java.opts.all", "-Da=b")))
                .containsOnlyKeys("env.java.opts.all")
                .hasEntrySatisfying(
                        "env.java.opts.all",
                        text -> assertThat(text).contains(UTIL).endsWith(" -Da=b"));
    }

    @Test
    void areNotForAVersionThatKnowsNoJava17() {
        assertThat(with(FlinkVersion.V1_17, Map.of())).isEmpty();
    }

    private static Map<String, String> with(FlinkVersion version, Map<String, String> theirs) {
        Map<String, String> options = new HashMap<>(theirs);
        OpenPackages.put(Optional.of(version), options);
        return options;
    }
}
