// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    private final Environment environment =
            new Environment(
                    Map.of(
                            "SLUICE_GROUP", " a ",
                            "SLUICE_TLS_DIR", "  ",
                            "SLUICE_WATCH_NAMESPACES", "a, b,,",
                            "SLUICE_HTTP_PORT", "7"));

    @Test
    void takesABlankVariableForOneThatIsNotSet() {
        assertThat(environment.text(Variable.GROUP)).contains("a");
        assertThat(environment.text(Variable.TLS_DIR)).isEmpty();
        assertThat(environment.text(Variable.HELD_MIB)).isEmpty();
    }

    @Test
    void leavesOutEmptyPartsOfAList() {
        assertThat(environment.list(Variable.WATCH_NAMESPACES)).containsExactly("a", "b");
        assertThat(environment.list(Variable.HELD_MIB)).isEmpty();
    }

    @Test
    void readsANumberWithinItsBounds() {
        assertThat(environment.number(Variable.HTTP_PORT, 0, 7, 1)).isEqualTo(7);
        assertThat(environment.number(Variable.HELD_MIB, 0, 7, 1)).isEqualTo(1);
        assertThatThrownBy(() -> environment.number(Variable.HTTP_PORT, 8, 9, 8))
                .isInstanceOf(Environment.Unusable.class)
                .hasMessage("SLUICE_HTTP_PORT: '7' must be a number from 8 to 9");
        assertThatThrownBy(() -> environment.number(Variable.HTTP_PORT, 0, 6, 1))
                .hasMessage("SLUICE_HTTP_PORT: '7' must be a number from 0 to 6");
        assertThatThrownBy(() -> environment.number(Variable.GROUP, 0, 6, 1))
                .hasMessage("SLUICE_GROUP: 'a' must be a number from 0 to 6");
    }

    @Test
    void isTrueOnlyIfAVariableSaysSo() {
        assertThat(
                        new Environment(Map.of("SLUICE_AUTHENTICATE", "true"))
                                .flag(Variable.AUTHENTICATE))
                .isTrue();
        assertThat(environment.flag(Variable.HELD_MIB)).isFalse();
        assertThatThrownBy(() -> environment.flag(Variable.GROUP))
                .hasMessage("SLUICE_GROUP: 'a' is wrong; use true or false");
    }

    @Test
    void saysWhyAValueCanNotBeRead() {
        assertThat(environment.value(Variable.HTTP_PORT, Integer::valueOf, 1)).isEqualTo(7);
        assertThat(environment.value(Variable.HELD_MIB, Integer::valueOf, 1)).isEqualTo(1);
        assertThatThrownBy(
                        () ->
                                environment.value(
                                        Variable.GROUP,
                                        _ -> {
                                            throw new IllegalArgumentException("no unit");
                                        },
                                        1))
                .hasMessage("SLUICE_GROUP: 'a' is wrong: no unit");
    }
}
