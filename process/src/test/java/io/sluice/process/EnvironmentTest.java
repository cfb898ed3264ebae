// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    private final Environment environment =
            new Environment(Map.of("TEXT", " a ", "BLANK", "  ", "LIST", "a, b,,", "NUMBER", "7"));

    @Test
    void takesABlankVariableForOneThatIsNotSet() {
        assertThat(environment.text("TEXT")).contains("a");
        assertThat(environment.text("BLANK")).isEmpty();
        assertThat(environment.text("OTHER")).isEmpty();
    }

    @Test
    void leavesOutEmptyPartsOfAList() {
        assertThat(environment.list("LIST")).containsExactly("a", "b");
        assertThat(environment.list("OTHER")).isEmpty();
    }

    @Test
    void readsANumberWithinItsBounds() {
        assertThat(environment.number("NUMBER", 0, 7, 1)).isEqualTo(7);
        assertThat(environment.number("OTHER", 0, 7, 1)).isEqualTo(1);
        assertThatThrownBy(() -> environment.number("NUMBER", 8, 9, 8))
                .isInstanceOf(Environment.Unusable.class)
                .hasMessage("NUMBER: '7' must be a number from 8 to 9");
        assertThatThrownBy(() -> environment.number("NUMBER", 0, 6, 1))
                .hasMessage("NUMBER: '7' must be a number from 0 to 6");
        assertThatThrownBy(() -> environment.number("TEXT", 0, 6, 1))
                .hasMessage("TEXT: 'a' must be a number from 0 to 6");
    }

    @Test
    void isTrueOnlyIfAVariableSaysSo() {
        assertThat(new Environment(Map.of("FLAG", "true")).flag("FLAG")).isTrue();
        assertThat(environment.flag("OTHER")).isFalse();
        assertThatThrownBy(() -> environment.flag("TEXT"))
                .hasMessage("TEXT: 'a' is wrong; use true or false");
    }

    @Test
    void saysWhyAValueCanNotBeRead() {
        assertThat(environment.value("NUMBER", Integer::valueOf, 1)).isEqualTo(7);
        assertThat(environment.value("OTHER", Integer::valueOf, 1)).isEqualTo(1);
        assertThatThrownBy(
                        () ->
                                environment.value(
                                        "TEXT",
                                        _ -> {
                                            throw new IllegalArgumentException("no unit");
                                        },
                                        1))
                .hasMessage("TEXT: 'a' is wrong: no unit");
    }
}
