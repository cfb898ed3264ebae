// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AliasesTest {
    private static final String OVERLAY =
            "kubernetes.operator.default-configuration.namespace.shop.";

    @Test
    void findsTheNewestSpellingInAnOverlay() {
        assertThat(Aliases.newest("state.backend")).isEqualTo("state.backend.type");
        assertThat(Aliases.newest(OVERLAY + "state.backend"))
                .isEqualTo(OVERLAY + "state.backend.type");
    }

    @Test
    void aKeyThatBeginsLikeManyOverlaysIsOne() {
        String key = OVERLAY.repeat(20_000) + "state.backend";

        assertThat(Aliases.newest(key)).isEqualTo(key);
    }
}
